"""`zhuowu bench`: how fast the parts are here. Each part is measured by a module of its own."""

from __future__ import annotations

import importlib
import importlib.util

import click

PARTS = {
    "rules": "server.bench_rules",
    "photo": "server.bench_photo",
    "live": "server.bench_live",
    "viewers": "server.bench_viewers",
}
"""Part -> the module that has its click command in `command`, imported only when asked for."""


class _Parts(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(part for part, module in PARTS.items() if importlib.util.find_spec(module))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        found: click.Command = importlib.import_module(PARTS[cmd_name]).command
        return found


@click.command(cls=_Parts)
def command() -> None:
    """Measure how fast a part is on this machine."""

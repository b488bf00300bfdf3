"""The command line: `zhuowu COMMAND`.

Each command lives in its own module of `server.commands` and is imported only when it is
asked for, so that `zhuowu judge` never waits for OpenCV or Flask.
"""

from __future__ import annotations

import difflib
import importlib
import sys
from importlib.metadata import version
from pathlib import Path

import click

COMMANDS_FOLDER = Path(__file__).parent / "commands"


class UserError(click.ClickException):
    """Something the user can mend: the message says what is wrong and what to do (exit 2)."""

    exit_code = 2


class LazyGroup(click.Group):
    """A click group whose commands are the modules of `server/commands`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        names = [p.stem for p in COMMANDS_FOLDER.glob("*.py") if p.stem != "__init__"]
        return sorted(names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"server.commands.{cmd_name}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = difflib.get_close_matches(args[0], self.list_commands(ctx), n=1)
            if not near:
                raise
            raise click.UsageError(f"{error.message} The nearest is {near[0]!r}.", ctx) from None


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("zhuowu"), prog_name="zhuowu")
def zhuowu() -> None:
    """Zhuowu (捉伍): a camera assistant for Tianjin mahjong (天津麻将)."""


def main() -> None:
    """Entry point of the `zhuowu` script."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8")
    try:
        zhuowu(prog_name="zhuowu")
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)


if __name__ == "__main__":
    main()

"""`zhuowu doctor`: what is in force on this machine and whether it works."""

from __future__ import annotations

import json
from pathlib import Path

import click

from server.cli import UserError
from server.config import ConfigError, LoadedConfig, load_config

_file = click.Path(exists=True, dir_okay=False, path_type=Path)
SIGNS = {"ok": "✓", "warning": "!", "failed": "✗"}


@click.command(name="doctor")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
@click.option("--config", "file", type=_file, help="Configuration file (TOML).")
def command(as_json: bool, file: Path | None) -> None:
    """Print the settings in force and check models, libraries, fonts and folders.

    Exits with 1 when something does not work.
    """
    from server.checks import run_checks

    try:
        loaded = load_config(file)
    except ConfigError as error:
        raise UserError(str(error)) from None
    checks = run_checks(loaded.config)
    if as_json:
        report = {
            "config": loaded.config.to_json(),
            "origins": dict(loaded.origins),
            "config_file": {"path": str(loaded.file), "found": loaded.file_found},
            "checks": [check.to_json() for check in checks],
        }
        click.echo(json.dumps(report, ensure_ascii=False, indent=2))
    else:
        _print_settings(loaded)
        click.echo("\nChecks")
        for check in checks:
            click.echo(f"  {SIGNS[check.state]} {check.name:<10} {check.text}")
    if any(check.state == "failed" for check in checks):
        raise SystemExit(1)


def _print_settings(loaded: LoadedConfig) -> None:
    found = "" if loaded.file_found else " (not there; defaults are used)"
    click.echo(f"Configuration file: {loaded.file}{found}")
    click.echo("Settings in force")
    for key, value in loaded.config.to_json().items():
        shown = json.dumps(value, ensure_ascii=False)
        click.echo(f"  {key:<18} {shown:<40} from {loaded.origins[key]}")

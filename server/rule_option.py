"""The rule options as a command line takes them."""

from __future__ import annotations

import click

RULE_OPTION = click.option(
    "--option",
    "pairs",
    multiple=True,
    metavar="NAME=VALUE",
    help="A rule option, such as min_fan=1 or preset=guadafeng; may be given several times. "
    "docs/rules.md says what each means, a name that is none lists them all.",
)
"""`--option NAME=VALUE`, given to the command as `pairs`, for `RuleOptions.from_pairs`."""

"""Configuration: one value, from defaults, a TOML file, the environment and flags, in that order.

The file lies at `config_file()` unless `ZHUOWU_CONFIG` or a flag names another. Every key may also
be given as `ZHUOWU_<KEY>` (lists with commas). Unknown keys are refused with the nearest known one.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import platformdirs

from rules import RuleOptions, RulesError

ENVIRONMENT = "ZHUOWU_"
CONFIG_VARIABLE = "ZHUOWU_CONFIG"


class ConfigError(ValueError):
    """A setting that cannot be used; the message says which, where, and what fits."""


@dataclass(frozen=True)
class Config:
    """What is in force.

    Attributes:
        host: Address the page is served on; only this machine by default.
        port: Port of the page; 0 takes any free one.
        open_browser: Open the page in the browser when it is ready.
        allowed_hosts: Further names browsers may use for this server (Host header).
        language: `"auto"` (the browser's), `"zh"` or `"en"`.
        max_upload_mb: Largest request body in MB, refused before it is decoded.
        readings_at_once: Photos read at the same time.
        readings_waiting: Photos that may wait for their turn; more are told to come back.
        requests_a_second: Requests to the JSON interface one caller may make each second.
        requests_at_once: Requests one caller may make before that limit is felt.
        threads: Worker threads of the web server.
        models: Folder of the models; None for the ones installed with the program.
        data_folder: Where the program keeps what the user asks it to keep.
        rules: Rule options the page starts with, as in `RuleOptions.from_mapping`.
    """

    host: str = "127.0.0.1"
    port: int = 8577
    open_browser: bool = True
    allowed_hosts: tuple[str, ...] = ()
    language: str = "auto"
    max_upload_mb: int = 40
    readings_at_once: int = 1
    readings_waiting: int = 4
    requests_a_second: int = 50
    requests_at_once: int = 400
    threads: int = 8
    models: Path | None = None
    data_folder: Path = field(
        default_factory=lambda: Path(platformdirs.user_data_dir("zhuowu", False))
    )
    rules: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def to_json(self) -> dict[str, Any]:
        """Every setting as a JSON value."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        values["allowed_hosts"] = list(self.allowed_hosts)
        values["models"] = None if self.models is None else str(self.models)
        return values | {"data_folder": str(self.data_folder), "rules": dict(self.rules)}


@dataclass(frozen=True)
class LoadedConfig:
    """A configuration and where each of its values came from.

    Attributes:
        config: What is in force.
        origins: By key: `"default"`, the file's path, the variable's name or `"flag"`.
        file: The configuration file that was looked for.
        file_found: Whether it was there.
    """

    config: Config
    origins: Mapping[str, str]
    file: Path
    file_found: bool


def config_file() -> Path:
    """Where the configuration file lies for this user."""
    return Path(platformdirs.user_config_dir("zhuowu", False)) / "config.toml"


def load_config(
    file: Path | None = None,
    environ: Mapping[str, str] | None = None,
    flags: Mapping[str, Any] | None = None,
) -> LoadedConfig:
    """Gather the settings; later sources win: defaults, file, environment, flags.

    Args:
        file: Configuration file, which must exist; by default `$ZHUOWU_CONFIG` (must exist too)
            or `config_file()` if there is one.
        environ: Environment variables; the process's own by default.
        flags: Values given on the command line; None values are not given.

    Raises:
        ConfigError: An unknown key, a value that does not fit, or an unreadable file.
    """
    variables = os.environ if environ is None else environ
    named = file or (Path(variables[CONFIG_VARIABLE]) if variables.get(CONFIG_VARIABLE) else None)
    path = named or config_file()
    values: dict[str, Any] = {}
    origins = {f.name: "default" for f in fields(Config)}
    for origin, key, value in [
        *_from_file(path, must_exist=named is not None),
        *_from_environment(variables),
        *(("flag", key, value) for key, value in (flags or {}).items() if value is not None),
    ]:
        if key not in origins:
            raise ConfigError(f"{origin}: unknown setting {key!r}; {_nearest(key)}")
        values[key] = _checked(key, value, origin)
        origins[key] = origin
    return LoadedConfig(replace(Config(), **values), origins, path, path.is_file())


def _nearest(key: str) -> str:
    near = difflib.get_close_matches(key, [f.name for f in fields(Config)], n=1, cutoff=0.0)
    return f"the nearest is {near[0]!r}"


def _from_file(path: Path, must_exist: bool) -> list[tuple[str, str, Any]]:
    if not must_exist and not path.is_file():
        return []
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not valid TOML ({error})") from None
    return [(str(path), key, value) for key, value in data.items()]


def _from_environment(variables: Mapping[str, str]) -> list[tuple[str, str, Any]]:
    found: list[tuple[str, str, Any]] = []
    for name, text in sorted(variables.items()):
        if not name.startswith(ENVIRONMENT) or name == CONFIG_VARIABLE or not text:
            continue
        key = name.removeprefix(ENVIRONMENT).lower()
        found.append((name, key, _parse_text(key, text, name)))
    return found


def _parse_text(key: str, text: str, origin: str) -> Any:
    """A variable's text as the type its key takes; anything else is left for the check."""
    if key == "rules":
        try:
            return {
                name: value
                for name, value in RuleOptions.from_pairs(_pairs(text)).to_mapping().items()
                if value != getattr(RuleOptions(), name)
            }
        except RulesError as error:
            raise ConfigError(f"{origin}: {error}") from None
    if key == "allowed_hosts":
        return _pairs(text)
    if key == "open_browser":
        return {"1": True, "true": True, "0": False, "false": False}.get(text.lower(), text)
    return int(text) if text.isascii() and text.isdigit() else text


def _pairs(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _checked(key: str, value: Any, origin: str) -> Any:
    fits, wanted = _CHECKS[key]
    if not fits(value):
        raise ConfigError(f"{origin}: {key} cannot be {value!r}; give {wanted}")
    if key == "allowed_hosts":
        return tuple(name.lower() for name in value)
    if key in ("models", "data_folder"):
        return Path(value).expanduser()
    if key == "rules":
        try:
            RuleOptions.from_mapping(value)
        except RulesError as error:
            raise ConfigError(f"{origin}: rules: {error}") from None
        return MappingProxyType(dict(value))
    return value


def _whole(least: int, most: int) -> tuple[Callable[[Any], bool], str]:
    return (
        lambda v: type(v) is int and least <= v <= most,
        f"a whole number from {least} to {most}",
    )


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


_FOLDER: tuple[Callable[[Any], bool], str] = (
    lambda v: _text(v) or isinstance(v, Path),
    "the path of a folder",
)

_CHECKS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "host": (_text, "an address such as 127.0.0.1"),
    "port": _whole(0, 65535),
    "open_browser": (lambda v: isinstance(v, bool), "true or false"),
    "allowed_hosts": (
        lambda v: isinstance(v, list | tuple) and all(_text(name) for name in v),
        "a list of host names",
    ),
    "language": (lambda v: v in ("auto", "zh", "en"), "auto, zh or en"),
    "max_upload_mb": _whole(1, 200),
    "readings_at_once": _whole(1, 16),
    "readings_waiting": _whole(0, 100),
    "requests_a_second": _whole(1, 100_000),
    "requests_at_once": _whole(1, 1_000_000),
    "threads": _whole(2, 64),
    "models": _FOLDER,
    "data_folder": _FOLDER,
    "rules": (lambda v: isinstance(v, dict), "a table of rule options"),
}

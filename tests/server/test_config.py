"""Settings: later sources win, unknown keys are refused with the nearest name."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.config import Config, ConfigError, load_config


def write(folder: Path, text: str) -> Path:
    path = folder / "config.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_defaults_are_this_machine_only() -> None:
    config = Config()
    assert (config.host, config.port, config.allowed_hosts) == ("127.0.0.1", 8577, ())


def test_later_sources_win_and_say_where_they_came_from(tmp_path: Path) -> None:
    path = write(tmp_path, 'port = 9000\nthreads = 4\nallowed_hosts = ["Table.local"]\n')
    loaded = load_config(path, {"ZHUOWU_PORT": "9001", "ZHUOWU_THREADS": "6"}, {"port": 9002})
    assert loaded.config.port == 9002
    assert loaded.config.threads == 6
    assert loaded.config.allowed_hosts == ("table.local",)
    assert loaded.origins["port"] == "flag"
    assert loaded.origins["threads"] == "ZHUOWU_THREADS"
    assert loaded.origins["allowed_hosts"] == str(path)
    assert loaded.origins["language"] == "default"


def test_flags_not_given_do_not_count(tmp_path: Path) -> None:
    loaded = load_config(write(tmp_path, "port = 9000\n"), {}, {"port": None})
    assert loaded.config.port == 9000


def test_variable_names_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, 'language = "zh"\n')
    assert load_config(None, {"ZHUOWU_CONFIG": str(path)}).config.language == "zh"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("prot = 1\n", "unknown setting 'prot'; the nearest is 'port'"),
        ("port = 70000\n", "port cannot be 70000; give a whole number from 0 to 65535"),
        ("port = true\n", "port cannot be True"),
        ('language = "fr"\n', "language cannot be 'fr'; give auto, zh or en"),
        ("[rules]\nmin_fann = 3\n", "the nearest is 'min_fan'"),
        ("[rules]\nmin_fan = 0\n", "at least 1"),
        ("port = = 1\n", "not valid TOML"),
        ('allowed_hosts = "a"\n', "a list of host names"),
    ],
)
def test_bad_files_say_what_is_wrong_and_where(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(ConfigError, match=r"config\.toml") as caught:
        load_config(path, {})
    assert message in str(caught.value)


def test_missing_file_that_was_named_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path / "none.toml", {})


def test_bad_bytes_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="not valid TOML"):
        load_config(path, {})


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("ZHUOWU_PROT", "1", "the nearest is 'port'"),
        ("ZHUOWU_PORT", "many", "port cannot be 'many'"),
        ("ZHUOWU_OPEN_BROWSER", "maybe", "true or false"),
        ("ZHUOWU_RULES", "min_fan", "option=value"),
    ],
)
def test_bad_variables_are_refused_by_name(name: str, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=name) as caught:
        load_config(None, {name: text})
    assert message in str(caught.value)


def test_variables_take_lists_truths_and_rules() -> None:
    config = load_config(
        None,
        {
            "ZHUOWU_ALLOWED_HOSTS": "a.local, b.local",
            "ZHUOWU_OPEN_BROWSER": "false",
            "ZHUOWU_RULES": "min_fan=3,joker_rule=11",
        },
    ).config
    assert config.allowed_hosts == ("a.local", "b.local")
    assert config.open_browser is False
    assert dict(config.rules) == {"min_fan": 3, "joker_rule": "11"}


def test_settings_as_json_keep_every_key() -> None:
    assert set(Config().to_json()) == set(Config.__dataclass_fields__)

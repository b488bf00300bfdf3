"""What can go wrong between a file and a reading, told in two languages."""

from __future__ import annotations


class VisionError(Exception):
    """Something a person can mend: a code for programs, a sentence for people.

    Attributes:
        code: Short stable name, e.g. `"too_large"`.
        zh: The reason and the way out, in Chinese.
        en: The same in English.
    """

    def __init__(self, code: str, zh: str, en: str) -> None:
        super().__init__(en)
        self.code = code
        self.zh = zh
        self.en = en

    def message(self, lang: str = "en") -> str:
        """The sentence in `lang` (`"zh"` or `"en"`)."""
        return self.zh if lang == "zh" else self.en

    def to_json(self) -> dict[str, str]:
        """`{"code", "zh", "en"}`, the form every JSON output uses."""
        return {"code": self.code, "zh": self.zh, "en": self.en}


class PhotoError(VisionError):
    """A photo that cannot be read."""


class ModelError(VisionError):
    """A model file or manifest that cannot be used."""


class SetupError(VisionError):
    """A library this machine lacks."""

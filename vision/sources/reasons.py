"""Why a source gives no picture: a code for programs, a sentence with the way out for people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from vision.errors import VisionError


@dataclass(frozen=True)
class Reason:
    """Why a source is not live.

    Attributes:
        code: `in_use`, `no_permission`, `no_signal`, `not_found`, `ambiguous`, `no_answer`,
            `login`, `end_of_file`, `not_a_picture`, `hung` or `failed`.
        zh: The reason and the way out, in Chinese.
        en: The same in English.
    """

    code: str
    zh: str
    en: str

    def to_json(self) -> dict[str, str]:
        """`{"code", "zh", "en"}`, the form every JSON output uses."""
        return {"code": self.code, "zh": self.zh, "en": self.en}


class SourceError(VisionError):
    """A source that cannot be opened or read; `reason` says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.code, reason.zh, reason.en)
        self.reason = reason


class BadPicture(SourceError):
    """One picture that is none; the source goes on, and the next one may be asked for."""


def in_use(name: str) -> Reason:
    """Another program holds the camera."""
    return Reason(
        "in_use",
        f"{name} 正被其他程序占用。请关闭使用摄像头的程序（会议、浏览器页面等）。",
        f"{name} is in use by another program. Close it (a meeting, a browser page, ...).",
    )


def no_permission(name: str) -> Reason:
    """This user may not open it."""
    return Reason(
        "no_permission",
        f"没有权限打开 {name}。Linux 上请把自己加入 video 组后重新登录："
        "sudo usermod -aG video $USER；macOS、Windows 请在隐私设置里允许使用摄像头。",
        f"No permission to open {name}. On Linux join the video group and log in again: "
        "sudo usermod -aG video $USER; on macOS and Windows allow it in the privacy settings.",
    )


def no_signal(name: str, seconds: float | None = None) -> Reason:
    """It is there but no picture comes."""
    zh = "" if seconds is None else f"（已等 {seconds:g} 秒）"
    en = "" if seconds is None else f" (waited {seconds:g} s)"
    return Reason(
        "no_signal",
        f"{name} 没有画面{zh}。请检查电源、连线和网络。",
        f"No signal from {name}{en}. Check its power, its cable and the network.",
    )


def camera_not_found(name: str, known: Iterable[str] = ()) -> Reason:
    """No camera has this name or number."""
    name = name.removeprefix("camera ")
    names = ", ".join(known)
    zh = f"现有：{names}" if names else "没有找到任何摄像头"
    en = f"There are: {names}" if names else "There is no camera at all"
    return Reason(
        "not_found",
        f"找不到摄像头 {name}。{zh}。请插好后运行 zhuowu cameras 查看。",
        f"There is no camera {name}. {en}. Plug it in and run: zhuowu cameras",
    )


def camera_ambiguous(name: str, matches: Iterable[str]) -> Reason:
    """Several cameras fit the name."""
    names = ", ".join(matches)
    return Reason(
        "ambiguous",
        f"有多个摄像头符合 {name}：{names}。请写全名或编号。",
        f"Several cameras fit {name}: {names}. Give the whole name or the number.",
    )


def file_not_found(name: str) -> Reason:
    """No such file or folder."""
    return Reason(
        "not_found",
        f"找不到 {name}。请检查路径和文件名。",
        f"There is no {name}. Check the path and the name.",
    )


def address_not_found(name: str) -> Reason:
    """The host's name is unknown, or the server has nothing at this address."""
    return Reason(
        "not_found",
        f"找不到 {name}。请检查地址的每一部分（主机名、端口、路径）。",
        f"{name} was not found. Check every part of the address (host, port, path).",
    )


def no_answer(name: str, detail: str = "") -> Reason:
    """The address does not answer."""
    zh = f"（{detail}）" if detail else ""
    en = f" ({detail})" if detail else ""
    return Reason(
        "no_answer",
        f"{name} 没有应答{zh}。请检查摄像头已开机、在同一网络、地址和端口正确。",
        f"{name} does not answer{en}. Check that the camera is on, in the same network, "
        "and that address and port are right.",
    )


def login(name: str) -> Reason:
    """The camera wants a name and a password, or others."""
    return Reason(
        "login",
        f"{name} 拒绝了登录。请在地址里写上用户名和密码：rtsp://用户:密码@主机/路径。",
        f"{name} refused the login. Put name and password into the address: "
        "rtsp://name:password@host/path",
    )


def end_of_file(name: str) -> Reason:
    """A recording has been played to its end."""
    return Reason("end_of_file", f"{name} 已播放完。", f"{name} has been played to its end.")


def not_a_picture(name: str, detail: str = "") -> Reason:
    """What comes is no picture."""
    zh = f"（{detail}）" if detail else ""
    en = f" ({detail})" if detail else ""
    return Reason(
        "not_a_picture",
        f"{name} 给出的不是画面{zh}。请检查这是视频流、视频文件或图片。",
        f"What {name} gives is not a picture{en}. "
        "Check that it is a video stream, a video file or pictures.",
    )


def hung(name: str, threads: int) -> Reason:
    """Too many calls into the source never came back."""
    return Reason(
        "hung",
        f"{name} 的驱动没有响应（{threads} 次调用未返回）。请拔下重插，或重新启动程序。",
        f"The driver of {name} does not respond ({threads} calls never came back). "
        "Unplug it and plug it in again, or restart the program.",
    )


def failed(name: str, detail: str) -> Reason:
    """Anything else."""
    return Reason(
        "failed",
        f"{name} 读取失败（{detail}）。将自动重试；若一直如此，请重新插拔或重启它。",
        f"Reading {name} failed ({detail}). It is tried again; if this stays, "
        "replug or restart it.",
    )

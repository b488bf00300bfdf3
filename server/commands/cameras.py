"""`zhuowu cameras`: the cameras of this machine, by name."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from server.cli import UserError
from server.language import LANG_OPTION, language, say

if TYPE_CHECKING:
    from vision.sources.cameras import Camera

NONE_ZH = (
    "没有找到摄像头。请试：\n"
    "  · 插好 USB 摄像头（换一个插口或线），再运行 zhuowu cameras；\n"
    "  · 虚拟机、容器、WSL 里要先把摄像头接入；\n"
    "  · 用手机或网络摄像头：给出 rtsp:// 或 http:// 地址；\n"
    "  · 用手机浏览器打开页面直接拍；或给出视频文件。"
)
NONE_EN = (
    "No camera found. Try:\n"
    "  - plug the USB camera in (another socket, another cable), then run zhuowu cameras again;\n"
    "  - in a virtual machine, a container or WSL, pass the camera through first;\n"
    "  - use a phone or an IP camera: give its rtsp:// or http:// address;\n"
    "  - open the page in the phone's browser and use its camera; or give a video file."
)


@click.command(name="cameras")
@click.option("--json", "as_json", is_flag=True, help="One JSON object with every camera.")
@click.option(
    "--preview",
    type=click.Path(path_type=Path, file_okay=False),
    help="Save one picture of each camera into this folder.",
)
@LANG_OPTION
def command(as_json: bool, preview: Path | None, lang: str) -> None:
    """List the cameras of this machine by number and name.

    Exits with 1 when there is none, with 2 when a preview could not be taken.
    """
    lang = language(lang)
    cameras = _cameras(lang)
    lines = [_describe(camera, preview, lang) for camera in cameras]
    if as_json:
        answer: dict[str, Any] = {"cameras": lines}
        if not lines:
            answer["error"] = {"code": "no_camera", "zh": NONE_ZH, "en": NONE_EN}
        click.echo(json.dumps(answer, ensure_ascii=False))
    else:
        for line in lines:
            _print(line, lang)
        if not lines:
            click.echo(say(lang, NONE_ZH, NONE_EN), err=True)
    if not lines:
        sys.exit(1)
    if any("error" in line for line in lines):
        sys.exit(2)


def _cameras(lang: str) -> tuple[Camera, ...]:
    from vision.errors import VisionError

    try:
        from vision.sources.cameras import list_cameras, names_known

        if names_known():
            return list_cameras()
        from vision.sources.preview import probe_cameras

        return probe_cameras()
    except VisionError as error:
        raise UserError(error.message(lang)) from None


def _describe(camera: Camera, preview: Path | None, lang: str) -> dict[str, Any]:
    """What is printed of a camera, with its preview taken when asked for."""
    line = camera.to_json()
    if preview is None:
        return line
    from vision.sources.capture import CameraSource
    from vision.sources.preview import save_preview, take_preview
    from vision.sources.reasons import SourceError

    try:
        frame = take_preview(CameraSource(camera.number))
        line["preview"] = str(save_preview(frame, camera, preview))
        line["width"], line["height"] = frame.width, frame.height
    except SourceError as error:
        line["error"] = error.to_json()
    except OSError as error:
        text = error.strerror or str(error)
        raise UserError(
            say(lang, f"无法写入 {preview}：{text}", f"Cannot write to {preview}: {text}")
        ) from None
    return line


def _print(line: dict[str, Any], lang: str) -> None:
    size = f"  {line['width']}×{line['height']}  {line['preview']}" if "preview" in line else ""
    click.echo(f"{line['number']}  {line['name']}{size}")
    if "error" in line:
        click.echo(f"   {line['error'][lang]}", err=True)

"""Cameras, streams, recordings and browsers as sources of frames.

`named_source(text)` says what to read, `SourceReader(source)` reads it for ever and always holds
the newest frame, `every_frame(source)` gives each frame of a recording in order.
"""

from vision.sources.cameras import Camera, list_cameras, names_known
from vision.sources.capture import CameraSource, StreamSource, VideoFileSource
from vision.sources.every import every_frame
from vision.sources.folder import FolderSource
from vision.sources.follow import FollowStatus, FrameFollower
from vision.sources.frame import Frame, Picture
from vision.sources.http_source import HttpSource
from vision.sources.named import named_source
from vision.sources.pushed import PushSource
from vision.sources.reader import SourceReader
from vision.sources.reasons import BadPicture, Reason, SourceError
from vision.sources.source import Clock, Grabber, Source, SystemClock, Timing
from vision.sources.status import SourceStatus

__all__ = [
    "BadPicture",
    "Camera",
    "CameraSource",
    "Clock",
    "FolderSource",
    "FollowStatus",
    "Frame",
    "FrameFollower",
    "Grabber",
    "HttpSource",
    "Picture",
    "PushSource",
    "Reason",
    "Source",
    "SourceError",
    "SourceReader",
    "SourceStatus",
    "StreamSource",
    "SystemClock",
    "Timing",
    "VideoFileSource",
    "every_frame",
    "list_cameras",
    "named_source",
    "names_known",
]

"""Has somebody knocked against the camera? Static features tell how the picture moved."""

from __future__ import annotations

import numpy as np

from vision.opencv import cv2

WIDTH = 640
FEATURES = 900
LEAST_INLIERS, LEAST_SHARE = 30, 0.3
# Within so many pixels of the picture that the features were taken in.
RANSAC_PX = 2.0
RATIO = 0.8
LEAST_SHIFT = 0.0015
MOST_SHIFT = 0.35
# Features place a table's corner by a few pixels, which moves the camera by tile widths; all the
# picture together places it better. It may correct the features by no more than this share.
STEPS, LEAST_STEP, WINDOW = 30, 1e-5, 5
MOST_CORRECTED = 0.05


class Keyframe:
    """Features of a frame in which nothing moved."""

    def __init__(self, pixels: np.ndarray) -> None:
        """Take the features of a BGR frame."""
        self.size = (pixels.shape[1], pixels.shape[0])
        scale = min(1.0, WIDTH / self.size[0])
        small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        orb = cv2.ORB_create(nfeatures=FEATURES, fastThreshold=8)
        grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
        points, self._words = orb.detectAndCompute(grey, None)
        self._points = np.array([p.pt for p in points], np.float32).reshape(-1, 2) / scale
        self._grey, self._scale = cv2.GaussianBlur(grey, (0, 0), 1.0), scale

    def change_to(self, later: Keyframe) -> np.ndarray | None:
        """The homography of pixels from this frame to a later one.

        Returns:
            3 x 3; the identity when nothing moved by more than noise; None when the frames do
            not show the same thing.
        """
        if self.size != later.size or self._words is None or later._words is None:
            return None
        matcher = cv2.BFMatcher(cv2.NORM_HAMMING)
        pairs = [
            pair[0]
            for pair in matcher.knnMatch(self._words, later._words, k=2)
            if len(pair) == 2 and pair[0].distance < RATIO * pair[1].distance
        ]
        if len(pairs) < LEAST_INLIERS:
            return None
        first = self._points[[pair.queryIdx for pair in pairs]]
        second = later._points[[pair.trainIdx for pair in pairs]]
        found, inliers = cv2.findHomography(first, second, cv2.RANSAC, RANSAC_PX / self._scale)
        if found is None or inliers is None:
            return None
        kept = inliers.ravel() > 0
        if kept.sum() < LEAST_INLIERS or kept.mean() < LEAST_SHARE:
            return None
        shift = float(np.median(np.hypot(*(second[kept] - first[kept]).T))) / self.size[0]
        if shift < LEAST_SHIFT:
            return np.eye(3)
        return self._refined(later, np.asarray(found)) if shift <= MOST_SHIFT else None

    def _refined(self, later: Keyframe, change: np.ndarray) -> np.ndarray:
        """The change under which all of both frames agrees best, near the one that is given."""
        down = np.diag([self._scale, self._scale, 1.0])
        up = np.linalg.inv(down)
        stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, STEPS, LEAST_STEP)
        start = (down @ change @ up).astype(np.float32)
        try:
            found = cv2.findTransformECC(
                self._grey, later._grey, start, cv2.MOTION_HOMOGRAPHY, stop, None, WINDOW
            )[1]
        except cv2.error:  # it finds no better one
            return change
        better = up @ np.asarray(found, float) @ down
        width, height = self.size
        corners = np.array([(0, 0, 1), (width, 0, 1), (width, height, 1), (0, height, 1)], float)
        first, second = (corners @ way.T for way in (change, better))
        off = np.hypot(*(first[:, :2] / first[:, 2:] - second[:, :2] / second[:, 2:]).T)
        return better if off.max() <= MOST_CORRECTED * width else change

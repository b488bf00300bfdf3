// The table's four corners in the picture: what lies between them, and whether they go round.

/** A mapping from the table (-1..1 both ways, "me" below) to shares of the picture. */
export function tablePoint(corners) {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = corners;
  const [dx1, dx2, dx3] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, dy3] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const whole = dx1 * dy2 - dx2 * dy1;
  const g = (dx3 * dy2 - dx2 * dy3) / whole;
  const k = (dx1 * dy3 - dx3 * dy1) / whole;
  const [a, b, d, e] = [x1 - x0 + g * x1, x3 - x0 + k * x3, y1 - y0 + g * y1, y3 - y0 + k * y3];
  return (x, y) => {
    const [u, v] = [(x + 1) / 2, (y + 1) / 2];
    const depth = g * u + k * v + 1;
    return [(a * u + b * v + x0) / depth, (d * u + e * v + y0) / depth];
  };
}

/** Whether the corners go round the table anticlockwise, seen from above, without crossing. */
export function goesRound(corners) {
  const sides = corners.map(([x, y], k) => {
    const [u, v] = corners[(k + 1) % 4];
    return [u - x, v - y];
  });
  return sides.every(([x, y], k) => {
    const [u, v] = sides[(k + 1) % 4];
    return x * v - y * u < 0;
  });
}

/** Four corners of a square around the table's middle, `reach` half sides out. */
export function ring(corners, reach) {
  const at = tablePoint(corners);
  return [at(-reach, -reach), at(reach, -reach), at(reach, reach), at(-reach, reach)];
}

// Every text whose contrast with its ground is below WCAG 2.2 AA.
() => {
  const parse = (text) => {
    const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
    return [r, g, b, a];
  };
  const over = (top, under) =>
    [0, 1, 2].map((k) => top[k] * top[3] + under[k] * (1 - top[3])).concat(1);
  const ground = (node) => {
    const layers = [];
    for (let n = node; n; n = n.parentElement) {
      const colour = parse(getComputedStyle(n).backgroundColor);
      layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255, 1]);
  };
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => v / 255)
      .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const poor = [];
  for (const node of document.querySelectorAll("body *")) {
    if (node.closest("svg, [disabled], noscript, .unseen, .skip")) continue;
    if (![...node.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
    if (!node.checkVisibility() || !node.getClientRects().length) continue;
    const style = getComputedStyle(node);
    const back = ground(node);
    const text = over(parse(style.color), back);
    const [a, b] = [light(text), light(back)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) {
      poor.push(`${node.tagName}.${node.className} "${node.textContent.trim().slice(0, 20)}" `
        + ratio.toFixed(2));
    }
  }
  return poor;
}

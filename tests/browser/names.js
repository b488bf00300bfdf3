// Controls without a name, pictures without words, doubled ids, targets too small, overflow.
() => {
  const problems = [];
  const nameOf = (node) => (node.getAttribute("aria-label") || node.textContent.trim()
    || [...(node.labels ?? [])].map((l) => l.textContent.trim()).join("")
    || document.getElementById(node.getAttribute("aria-labelledby"))?.textContent || "").trim();
  const named = "button, a[href], input, select, summary, dialog[open], "
    + "[role=button], [role=group], [role=img]";
  const short = (node) => node.outerHTML.slice(0, 90);
  for (const node of document.querySelectorAll(named)) {
    if (node.checkVisibility() && !nameOf(node)) problems.push(`no name: ${short(node)}`);
  }
  for (const node of document.querySelectorAll("img")) {
    if (!node.hasAttribute("alt")) problems.push(`no alt: ${short(node)}`);
    if (!node.hasAttribute("width")) problems.push(`no width: ${short(node)}`);
  }
  const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
  if (new Set(ids).size !== ids.length) problems.push("an id is used twice");
  if (document.querySelectorAll("h1").length !== 1) problems.push("not one h1");
  for (const node of document.querySelectorAll("button, select, .button, summary")) {
    const {width, height} = node.getBoundingClientRect();
    if (node.checkVisibility() && (width < 24 || height < 24)) {
      problems.push(`too small to tap: ${short(node)} ${width}x${height}`);
    }
  }
  if (document.documentElement.scrollWidth > innerWidth) problems.push("wider than the screen");
  return problems;
}

// The description of the JSON interface, drawn from /api/openapi.json.

import { byId, h } from "./dom.js";

function kindOf(schema) {
  if (schema.enum) {
    const shown = schema.enum.slice(0, 6).join(" | ");
    return schema.enum.length > 6 ? `${shown} | … (${schema.enum.length})` : shown;
  }
  if (schema.anyOf) return schema.anyOf.map(kindOf).join(" or ");
  if (schema.type === "array") return `[${kindOf(schema.items ?? {})}, …]`;
  const ends = [schema.minimum, schema.maximum];
  const range = ends.some((end) => end !== undefined) ? ` ${ends[0] ?? ""}…${ends[1] ?? ""}` : "";
  return (schema.description ?? schema.type ?? "any JSON") + range;
}

function table(title, rows) {
  if (!rows.length) return null;
  return [h("h4", {}, title), h("table", {}, h("tbody", {}, rows.map(([name, kind, note]) =>
    h("tr", {}, h("th", { scope: "row" }, h("code", {}, name)), h("td", {}, h("code", {}, kind)), h("td", {}, note)))))];
}

function bodyOf(request) {
  if (!request) return null;
  const [[media, { schema, example }]] = Object.entries(request.content);
  const required = schema.required ?? [];
  const rows = Object.entries(schema.properties ?? {})
    .map(([name, one]) => [name, kindOf(one), required.includes(name) ? "required" : ""]);
  return [
    table(`Body (${media})`, rows.length ? rows : [["body", kindOf(schema), Object.keys(request.content).join(", ")]]),
    example === undefined ? null : h("pre", {}, JSON.stringify(example)),
  ];
}

function operation(path, method, one) {
  const parameters = one.parameters.map((p) => [p.name, kindOf(p.schema), `${p.in}${p.required ? ", required" : ""}`]);
  const [status, answer] = Object.entries(one.responses)[0];
  return h("article", { class: "operation", id: one.operationId },
    h("h3", {}, h("span", { class: `method ${method}` }, method.toUpperCase()), h("code", {}, path)),
    h("p", {}, one.summary), h("p", { lang: "zh-CN", class: "muted" }, one.description),
    table("Parameters", parameters), bodyOf(one.requestBody),
    h("h4", {}, `Answer ${status}`), h("p", {}, answer.description));
}

async function start() {
  const root = byId("content");
  try {
    const about = await (await fetch("/api/openapi.json")).json();
    const all = Object.entries(about.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => ({ path, method, one })));
    root.replaceChildren(
      h("p", {}, about.info.description),
      h("nav", { class: "contents", "aria-label": "Groups" },
        about.tags.map(({ name }, n) => h("a", { href: `#group-${n}` }, name))),
      ...about.tags.flatMap(({ name }, n) => [
        h("h2", { id: `group-${n}` }, name),
        ...all.filter(({ one }) => one.tags.includes(name)).map(({ path, method, one }) => operation(path, method, one)),
      ]),
    );
  } catch {
    root.replaceChildren(h("p", { class: "notice", role: "alert" },
      "The description cannot be loaded. Check that Zhuowu is still running, then reload."));
  }
}

start();

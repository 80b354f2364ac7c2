import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { read, unchanged } from "../dist/answer.js";
import { Client } from "../dist/index.js";
import { Placeholders, textWithoutData } from "../dist/placeholders.js";

const DATA = "iVBORw0KGgo".repeat(100_000);
const URL_OF_DATA = `data:image/png;base64,${DATA}`;
const LONG = {
  $DATA: DATA,
  $URL: URL_OF_DATA,
  $SVG: `data:image/svg+xml;utf8,<svg xmlns='a'>${"<path d='M 0 0' /> ".repeat(1000)}`,
  $TEXT: "Row, row, row your boat. ".repeat(1000),
};
const CASES = JSON.parse(readFileSync(new URL("../../../tests/data/placeholders.json", import.meta.url), "utf8"));
const withLong = (part) =>
  JSON.parse(JSON.stringify(part), (_, value) =>
    typeof value === "string" ? value.replace(/\$[A-Z]+/g, (name) => LONG[name] ?? name) : value,
  );
const metadata = { fallback_reason: "", memory_ids: [] };

for (const { name, part, is_sent: isSent } of CASES) {
  test(`${isSent ? "sent whole" : "not sent, and put back"}: ${name}`, () => {
    const [picture, text] = [withLong(part), { type: "text", text: "My boat is blue." }];
    const messages = [{ role: "user", content: [picture, text] }, { ...picture, role: "user" }];
    const placeholders = new Placeholders(messages);
    if (isSent) {
      assert.equal(placeholders.sent, messages);
      return;
    }

    const sent = JSON.parse(JSON.stringify(placeholders.sent));
    const added = { type: "text", text: "<memories-1>\n" };
    const longer = [{ role: "user", content: [sent[0].content[0], added, text] }, sent[1]];
    const plain = placeholders.restored(read({ messages: sent, metadata }, placeholders.sent, ""));
    const restored = placeholders.restored(read({ messages: longer, metadata }, placeholders.sent, ""));

    assert.ok(JSON.stringify(sent).length < 1_000);
    assert.equal(sent[0].content[0].type, picture.type);
    assert.equal(plain.messages, messages);
    assert.deepEqual(restored.messages, [{ role: "user", content: [picture, added, text] }, messages[1]]);
    assert.equal(restored.messages[1], messages[1]);
  });
}

test("data in a text is left out where the request would be too large", () => {
  for (const text of [`![](${URL_OF_DATA}) My boat costs $1.`, URL_OF_DATA, `小舟${URL_OF_DATA}。小舟`, `${URL_OF_DATA} ${DATA}`]) {
    const placeholders = new Placeholders([{ role: "user", content: text }], true);
    const [{ content }] = placeholders.sent;

    assert.ok(content.length < 300);
    const answer = { ...unchanged([], ""), messages: [{ role: "user", content: `<x>\n${content}` }] };
    assert.equal(placeholders.restored(answer).messages[0].content, `<x>\n${text}`);
  }
  for (const content of ["I keep bees. ".repeat(1000), "x".repeat(1000), "私は蜂を飼っています。".repeat(1000)]) {
    const messages = [{ role: "user", content }];
    assert.equal(new Placeholders(messages, true).sent, messages);
  }
});

test("short data is sent as it is", () => {
  for (const length of [1_000, 1_001]) {
    const messages = [{ role: "user", content: [{ inlineData: { data: "x".repeat(length) } }] }];
    assert.equal(new Placeholders(messages).sent === messages, length === 1_000);
  }
});

/** The client's answer, and the bodies that it sent to a service that puts a text before the user's last one. */
async function answered(messages, { status = 200, injected = "" } = {}) {
  const bodies = [];
  const fetch = async (_, { body }) => {
    bodies.push(body);
    if (status !== 200) return Response.json({ error: { code: "invalid_request", message: "No." } }, { status });
    const got = JSON.parse(body).messages;
    const last = got.at(-1);
    if (injected && Array.isArray(last.content)) last.content.unshift({ type: "text", text: injected });
    else if (injected) last.content = `${injected}\n${last.content}`;
    return Response.json({ messages: got, metadata });
  };
  const client = new Client({ url: "http://service", agentId: "a", deadlineMs: 60_000, fetch });
  return { answer: await client.assemble(messages, { model: "m" }), bodies };
}

for (const [status, reason] of [[200, ""], [400, "invalid_request"], [502, "http_502"]]) {
  test(`a photo in a text or a part does not switch memory off, status ${status}`, async () => {
    const photo = { type: "image_url", image_url: { url: URL_OF_DATA } };
    const messages = [{ role: "user", content: [photo] }, { role: "user", content: `![](${URL_OF_DATA}) My boat.` }];

    const { answer, bodies } = await answered(messages, { status });

    assert.equal(answer.reason, reason);
    assert.equal(answer.messages, messages);
    assert.ok(bodies[0].includes("My boat.") && bodies[0].length < 1_000);
  });
}

test("a text that fits is sent whole, and one that is no data may be too large", async () => {
  const content = `![](data:image/png;base64,${"A".repeat(100_000)}) My boat.`;
  const large = [{ role: "user", content: "I keep bees. ".repeat(100_000) }];

  const whole = await answered([{ role: "user", content }], { injected: "<x>\n" });
  const tooLarge = await answered(large);

  assert.ok(whole.bodies[0].includes(content));
  assert.equal(whole.answer.messages[0].content, `<x>\n\n${content}`);
  assert.deepEqual([tooLarge.answer.reason, tooLarge.bodies], ["too_large", []]);
  assert.equal(tooLarge.answer.messages, large);
});

const NO_JSON = {
  Uint8Array: new Uint8Array(9),
  Buffer: Buffer.from("x"),
  ArrayBuffer: new ArrayBuffer(9),
  DataView: new DataView(new ArrayBuffer(9)),
  Blob: new Blob(["x"]),
  URL: new URL("http://pictures/1.png"),
  Date: new Date(0),
  Map: new Map(),
  bigint: 1n,
  NaN: NaN,
};

for (const [name, value] of Object.entries(NO_JSON)) {
  test(`what JSON cannot hold stays here and comes back: ${name}`, async () => {
    const text = { type: "text", text: "My boat." };
    const message = { role: "user", content: [{ type: "image", image: value }, text], at: value, name: undefined };

    const { answer: plain } = await answered([message]);
    const { answer } = await answered([message, message], { injected: "<x>\n" });

    assert.deepEqual([plain.reason, answer.reason], ["", ""]);
    assert.equal(plain.messages[0], message);
    assert.equal(answer.messages[0], message);
    assert.ok(Object.is(answer.messages[1].content[1].image, value) && Object.is(answer.messages[1].at, value));
    assert.deepEqual(answer.messages[1].content[2], text);
  });
}

test("no placeholder is left where a text was added to what is none", async () => {
  const messages = [{ role: "user", content: new Uint8Array(9) }];

  const { answer } = await answered(messages, { injected: "<x>\n" });

  assert.equal(answer.reason, "client_error:TypeError");
  assert.equal(answer.messages, messages);
});

test("messages without an end take no time", async () => {
  const itself = { role: "user", content: [{ type: "image", data: DATA }] };
  for (let at = 0; at < 50; at++) itself[at] = itself;
  const byList = { role: "user", content: [{ type: "image", data: DATA }] };
  for (let at = 0; at < 50; at++) byList.content.push(byList.content);
  const deep = { role: "user", content: [] };
  for (let at = 0; at < 100_000; at++) deep.content = [deep.content];

  for (const message of [itself, byList, deep]) {
    const messages = Array(50).fill(message);
    const { answer, bodies } = await answered(messages);
    assert.match(answer.reason, /^client_error:/);
    assert.equal(answer.messages, messages);
    assert.deepEqual(bodies, []);
  }
});

test("a text that imitates data takes no longer than another", () => {
  for (const piece of ["data:", "data:,", `${"data:,".repeat(166)} `, `${"a".repeat(999)} `, "data:;base64,"]) {
    const began = process.cpuUsage();
    textWithoutData(piece.repeat(2_000_000 / piece.length));
    assert.ok(process.cpuUsage(began).user < 2_000_000, piece);
  }
});

test("whatever is sent comes back as it was", () => {
  let state = 7;
  const below = (most) => (state = (state * 48271) % 2147483647) % most;
  const pick = (values) => values[below(values.length)];
  const leaves = [null, 1, true, "", "image", "a", DATA.slice(0, 2000), `a ${URL_OF_DATA.slice(0, 2000)} b`, new Uint8Array(3), new Date(0)];
  const names = ["type", "text", "content", "parts", "image_url", "url", "source", "data", "a"];
  const value = (depth) => {
    const kind = depth > 4 ? 0 : below(4);
    if (kind < 2) return pick(leaves);
    if (kind === 2) return Array.from({ length: below(4) }, () => value(depth + 1));
    return Object.fromEntries(Array.from({ length: below(4) }, () => [pick(names), value(depth + 1)]));
  };

  for (let at = 0; at < 2_000; at++) {
    const messages = Array.from({ length: below(4) }, () => ({ role: "user", content: value(0), a: value(0) }));
    const placeholders = new Placeholders(messages, at % 2 === 0);
    const copies = JSON.parse(JSON.stringify(placeholders.sent));
    assert.deepEqual(placeholders.restored({ ...unchanged([], ""), messages: copies }).messages, messages);
    assert.equal(placeholders.restored(unchanged(placeholders.sent, "")).messages, messages);
    assert.equal(read({ messages: copies, metadata }, placeholders.sent, "").messages, placeholders.sent);
  }
});

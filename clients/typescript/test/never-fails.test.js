import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, beforeEach, test } from "node:test";
import { Client, withoutInjected } from "../dist/index.js";

const MESSAGES = Object.freeze([{ role: "user", content: "Which room?" }]);
const SYSTEM = { role: "system", content: "<memories-123456789>\n- Tea.\n</memories-123456789>\n" };

let behaviour;
let received;
let url;
const server = createServer((request, response) => {
  let text = "";
  request.on("data", (part) => (text += part));
  request.on("end", () => {
    received.push({ headers: request.headers, body: text && JSON.parse(text) });
    behaviour(request, response, text && JSON.parse(text));
  });
});

function whole(_, response, body) {
  const metadata = { fallback_reason: "", memory_ids: ["m-1"] };
  response.end(JSON.stringify({ messages: [SYSTEM, ...(body.messages ?? [])], metadata }));
}

const answers = (status, text, headers = {}) => (_, response) => response.writeHead(status, headers).end(text);
const refuses = (status, code, headers = {}) =>
  answers(status, JSON.stringify({ error: { code, message: "No." }, request_id: "r" }), headers);

const client = (more = {}) => new Client({ url, apiKey: "rk_test", agentId: "a", deadlineMs: 5000, ...more });

before(async () => {
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  url = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  behaviour = whole;
  received = [];
});

test("a whole answer is used", async () => {
  const answer = await client().assemble(MESSAGES, { model: "gpt-4o", userId: "isla", requestId: "r-1", timeZone: "Asia/Tokyo" });

  assert.deepEqual(answer.messages, [SYSTEM, ...MESSAGES]);
  assert.equal(answer.messages[1], MESSAGES[0]);
  assert.deepEqual([answer.reason, answer.injected, answer.memoryIds], ["", SYSTEM.content, ["m-1"]]);
  assert.equal(received[0].headers["x-end-user-id"], "isla");
  assert.equal(received[0].headers["x-api-key"], "rk_test");
  assert.equal(received[0].body.time_zone, "Asia/Tokyo");
});

const BLOCK = SYSTEM.content;
const part = (text) => ({ type: "text", text });
const IMAGE = { type: "image_url", image_url: { url: "x" } };
const PLACES = [
  ["system", "Be terse.", `${BLOCK}\nBe terse.`],
  ["developer", "Be terse.", `Be terse.\n\n${BLOCK}`],
  ["system", "", `${BLOCK}\n`],
  ["system", [], [part(`${BLOCK}\n`)]],
  ["system", [part("Be terse.")], [part(BLOCK), part("Be terse.")]],
  ["user", "Hi", `${BLOCK}\nHi`],
  ["user", [IMAGE, part("Hi")], [IMAGE, part(BLOCK), part("Hi")]],
  ["user", ["Hi"], [BLOCK, "Hi"]],
];

for (const [role, content, changed] of PLACES) {
  test(`the text is found in a message of role ${role}: ${JSON.stringify(content)}`, async () => {
    const sent = [MESSAGES[0], { role, content, name: "isla" }, MESSAGES[0]];
    const messages = [sent[0], { role, content: changed, name: "isla" }, sent[2]];
    behaviour = answers(200, JSON.stringify({ messages, metadata: { fallback_reason: "", memory_ids: ["m-1"] } }));

    const answer = await client().assemble(sent, { model: "gpt-4o" });

    assert.deepEqual([answer.reason, answer.injected], ["", BLOCK]);
    assert.deepEqual(answer.messages, messages);
    assert.deepEqual([answer.messages[0], answer.messages[2]], [sent[0], sent[2]]);
    assert.deepEqual(withoutInjected(answer.messages), sent);
  });
}

const marked = (text) => ({ ...part(text), cache_control: { type: "ephemeral" } });
const MARKED = [
  [[{ role: "system", content: "Be terse." }], [{ role: "system", content: [marked(BLOCK), part("Be terse.")] }]],
  [[{ role: "system", content: null }], [{ role: "system", content: [marked(`${BLOCK}\n`)] }]],
  [[], [{ role: "system", content: [marked(BLOCK)] }]],
];

for (const [before, after] of MARKED) {
  test(`a part with a mark of the provider's cache is found: ${JSON.stringify(before)}`, async () => {
    const messages = [...after, MESSAGES[0]];
    behaviour = answers(200, JSON.stringify({ messages, metadata: { fallback_reason: "", memory_ids: [] } }));

    const answer = await client().assemble([...before, MESSAGES[0]], { model: "claude-sonnet-4-5" });

    assert.deepEqual([answer.reason, answer.injected], ["", BLOCK]);
    assert.deepEqual(answer.messages, messages);
  });
}

test("a message that was added comes out, and messages without blocks stay the same objects", () => {
  const own = ["", null, [], [part("")], [null, 7, "x"], [IMAGE], "<memories>"].map((content) => ({ role: "user", content }));

  const messages = withoutInjected([SYSTEM, ...own, { role: "user", parts: [{ text: BLOCK }, { text: "Hi" }] }]);

  assert.deepEqual(messages.slice(0, -1), own);
  assert.ok(own.every((message, place) => message === messages[place]));
  assert.deepEqual(messages.at(-1), { role: "user", parts: [{ text: "Hi" }] });
});

const CHANGES = [
  ["assistant", "Hi", `${BLOCK}\nHi`],
  ["user", "Hi", `${BLOCK}\nHo`],
  ["user", "Hi", [part(BLOCK), part("Hi")]],
  ["user", [part("Hi")], [part(BLOCK)]],
  ["user", [part("Hi")], [IMAGE, part("Hi")]],
  ["system", "Be terse.", BLOCK],
];

for (const [role, content, changed] of CHANGES) {
  test(`an answer that changes a message is refused: ${role} ${JSON.stringify(changed)}`, async () => {
    const sent = [{ role, content }];
    const messages = [{ role, content: changed }];
    behaviour = answers(200, JSON.stringify({ messages, metadata: { fallback_reason: "", memory_ids: ["m-1"] } }));

    const answer = await client().assemble(sent, { model: "gpt-4o" });

    assert.equal(answer.messages, sent);
    assert.equal(answer.reason, "invalid_answer");
  });
}

const FAULTS = {
  unreachable: (request) => request.socket.destroy(),
  invalid_answer: answers(200, "<html>It works!</html>"),
  "invalid_answer ": answers(200, JSON.stringify({ messages: [], metadata: {} })),
  "invalid_answer  ": answers(200, JSON.stringify({ messages: "x".repeat(2 << 20) })),
  http_302: answers(302, "", { location: "http://127.0.0.1:1/" }),
  http_502: answers(502, "Bad Gateway"),
};

for (const [reason, fault] of Object.entries(FAULTS)) {
  test(`the messages stay as they are: ${reason}`, async () => {
    behaviour = fault;

    const answer = await client().assemble(MESSAGES, { model: "gpt-4o" });

    assert.equal(answer.messages, MESSAGES);
    assert.equal(answer.reason, reason.trim());
  });
}

test("the deadline bounds the whole call", async () => {
  behaviour = (_, response) => response.writeHead(200).write("{");

  const answer = await client({ deadlineMs: 45 }).assemble(MESSAGES, { model: "gpt-4o" });

  assert.equal(answer.messages, MESSAGES);
  assert.equal(answer.reason, "timeout");
});

test("a message that cannot be sent is no rejection", async () => {
  const circular = { role: "user" };
  circular.content = circular;

  const answer = await client().assemble([circular], { model: "gpt-4o" });

  assert.equal(answer.reason, "client_error:TypeError");
  assert.equal(answer.messages[0], circular);
});

test("a refusal is told once", async () => {
  behaviour = refuses(401, "invalid_credential");
  const told = [];
  const stranger = client({ onRefused: (code) => told.push(code) });

  const reasons = [];
  for (let at = 0; at < 10; at++) reasons.push((await stranger.assemble(MESSAGES, { model: "gpt-4o" })).reason);

  assert.deepEqual(new Set(reasons), new Set(["invalid_credential"]));
  assert.deepEqual(told, ["invalid_credential"]);
});

test("Retry-After is honoured", async () => {
  behaviour = refuses(429, "too_many_requests", { "retry-after": "60" });
  const limited = client();

  const first = await limited.assemble(MESSAGES, { model: "gpt-4o" });
  const second = await limited.assemble(MESSAGES, { model: "gpt-4o" });

  assert.deepEqual([first.reason, second.reason], ["too_many_requests", "circuit_open"]);
  assert.equal(received.length, 1);
});

test("the breaker opens, leaves calls out, and closes by itself", async () => {
  behaviour = answers(502, "Bad Gateway");
  const broken = client();
  for (let at = 0; at < 5; at++) await broken.assemble(MESSAGES, { model: "gpt-4o" });
  const seen = received.length;
  const open = await broken.assemble(MESSAGES, { model: "gpt-4o" });
  const asked = received.length - seen;

  behaviour = whole;
  let answer = open;
  const end = Date.now() + 30_000;
  while (answer.reason && Date.now() < end) {
    await new Promise((again) => setTimeout(again, 50));
    answer = await broken.assemble(MESSAGES, { model: "gpt-4o" });
  }

  assert.deepEqual([open.reason, asked, answer.reason], ["circuit_open", 0, ""]);
  const probes = received.slice(seen).filter((one) => one.body?.options);
  assert.ok(probes.length > 0);
  assert.deepEqual(probes[0].body.messages, [{ role: "user", content: "." }]);
});

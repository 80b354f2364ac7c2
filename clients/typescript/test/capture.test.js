import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, beforeEach, test } from "node:test";
import { authored } from "../dist/authored-text.js";
import { Client, sendable, derivedSession, session, spoken, turn, withoutBlocks } from "../dist/index.js";
import { inIso } from "../dist/message-times.js";

const TURN = [{ role: "user", content: "I drink tea." }, { role: "assistant", content: "Noted." }];
const PICTURE = `data:image/png;base64,${"A".repeat(3_000_000)}`;
const BLOCK = "<memories-123456789>\n- Coffee.\n</memories-123456789>\n";

let behaviour;
let received;
let url;
const server = createServer((request, response) => {
  let text = "";
  request.on("data", (part) => (text += part));
  request.on("end", () => {
    received.push({ path: request.url, headers: request.headers, body: text && JSON.parse(text) });
    behaviour(request, response);
  });
});

const answers = (status, text, headers = {}) => (_, response) => response.writeHead(status, headers).end(text);
const accepts = answers(202, JSON.stringify({ conversation_id: "c-1", turns: [], skipped: {} }));
const refuses = (status, code) => answers(status, JSON.stringify({ error: { code, message: "No." }, request_id: "r" }));
const client = (more = {}) => new Client({ url, apiKey: "rk_test", agentId: "a", ...more });

async function untilSent(sending) {
  const end = Date.now() + 120_000;
  while ((await sending.flush()) > 0) {
    assert.ok(Date.now() < end);
    await new Promise((again) => setTimeout(again, 20));
  }
}

before(async () => {
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  url = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  behaviour = accepts;
  received = [];
});

test("what was said is sent, and nothing else", async () => {
  const speaking = client();
  const parts = [{ type: "image_url", image_url: {} }, { type: "text", text: `${BLOCK}Milk too.` }];
  const messages = [
    { role: "system", content: "Secret." },
    { role: "user", content: BLOCK },
    ...TURN,
    { role: "assistant", content: null, tool_calls: [] },
    { role: "tool", content: "Secret." },
    { role: "user", content: parts, name: "Isla" },
  ];

  speaking.capture(messages, { userId: "isla", sessionId: "s", turnId: "t", clientRef: "r", observedAt: new Date(0) });
  speaking.capture([{ role: "system", content: "Secret." }]);
  await untilSent(speaking);

  assert.equal(received.length, 1);
  const [{ path, headers, body }] = received;
  assert.deepEqual([path, headers["x-end-user-id"], headers["x-api-key"]], ["/v1/conversations", "isla", "rk_test"]);
  assert.equal(headers["idempotency-key"].length, 36);
  assert.deepEqual(body, {
    agent_id: "a",
    user_id: "isla",
    session_id: "s",
    turn_id: "t",
    client_ref: "r",
    observed_at: "1970-01-01T00:00:00.000Z",
    messages: [...TURN, { role: "user", content: "Milk too.", name: "Isla" }],
  });
});

const FAULTS = {
  "no answer": (request) => request.socket.destroy(),
  "garbage with status 200": answers(200, "<html>It works!</html>"),
  "a redirect": answers(302, "", { location: "http://127.0.0.1:1/" }),
  "status 503": answers(503, "Service Unavailable"),
  "status 500": refuses(500, "internal_error"),
};

for (const [name, fault] of Object.entries(FAULTS)) {
  test(`it is sent again, once, under the same key after ${name}`, async () => {
    behaviour = fault;
    const speaking = client();

    speaking.capture(TURN);
    const failed = await speaking.flush();
    behaviour = accepts;
    await untilSent(speaking);

    assert.equal(failed, 1);
    assert.ok(received.length > 1);
    assert.equal(new Set(received.map(({ headers }) => headers["idempotency-key"])).size, 1);
  });
}

for (const other of ["a redirect", "garbage with status 200"]) {
  test(`what is answered again and again by ${other} is dropped, and told`, async (context) => {
    const warned = context.mock.method(console, "warn", () => {});
    behaviour = FAULTS[other];
    const speaking = client();

    speaking.capture(TURN);
    await untilSent(speaking);

    assert.deepEqual([received.length, warned.mock.callCount()], [5, 1]);
  });
}

test("the turns of a session arrive in order, and sessions at once", async () => {
  let [open, most] = [0, 0];
  behaviour = (request, response) => {
    most = Math.max(most, ++open);
    setTimeout(() => accepts(request, response, open--), 40);
  };
  const speaking = client();

  for (let number = 0; number < 5; number++) {
    for (const sessionId of ["s-1", "s-2", "s-3", "s-4", "s-5", "s-6"]) {
      speaking.capture([{ role: "user", content: String(number) }], { sessionId });
    }
  }
  await untilSent(speaking);

  const third = received.filter(({ body }) => body.session_id === "s-3");
  assert.deepEqual(third.map(({ body }) => body.messages[0].content), ["0", "1", "2", "3", "4"]);
  assert.equal(most, 4);
});

test("a refusal is told once, and drops that call only", async () => {
  const told = [];
  const speaking = client({ onRefused: (code) => told.push(code) });
  behaviour = refuses(401, "invalid_credential");
  for (let at = 0; at < 3; at++) speaking.capture(TURN, { sessionId: "s" });
  await untilSent(speaking);
  behaviour = refuses(400, "invalid_request");
  speaking.capture(TURN, { sessionId: "s" });
  await untilSent(speaking);
  behaviour = accepts;
  speaking.capture(TURN, { sessionId: "s" });
  await untilSent(speaking);

  assert.deepEqual(told, ["invalid_credential"]);
  assert.equal(received.length, 5);
});

test("what comes when the queue is full is dropped", async () => {
  // Without sockets: a busy machine needs half a minute for 1,000 requests.
  const keys = new Set();
  let answer;
  const opened = new Promise((open) => (answer = open));
  const fetch = async (_, { headers }) => {
    await opened;
    keys.add(headers["idempotency-key"]);
    return new Response("{}", { status: 202 });
  };
  const speaking = client({ fetch });
  for (let at = 0; at < 1_010; at++) speaking.capture(TURN, { sessionId: "s" });

  assert.equal(await speaking.flush(10), 1_000);
  answer();
  await untilSent(speaking);
  assert.equal(keys.size, 1_000);
});

test("nothing throws", () => {
  const nameless = new Client({ url, agentId: "" });
  for (const messages of [null, [null], [{ role: "user", content: {} }], TURN]) nameless.capture(messages);

  assert.deepEqual(received, []);
});

test("no name of an end user opens the breaker for all", async () => {
  behaviour = (_, response) => answers(200, JSON.stringify({ messages: TURN, metadata }))(_, response);
  const metadata = { fallback_reason: "", memory_ids: [] };
  const asking = client({ deadlineMs: 5000 });
  const names = ["Zoë", "a\nb", "日本"];

  const reasons = [];
  for (let at = 0; at < 3; at++) {
    for (const userId of names) reasons.push((await asking.assemble(TURN, { model: "gpt-4o", userId })).reason);
  }

  assert.deepEqual(new Set(reasons), new Set([""]));
  assert.deepEqual(received.slice(0, names.length).map(({ body }) => body.user_id), names);
});

test("the end of a process sends what waits, unless the service is down", async () => {
  const program = (address) => `
    import { Client } from ${JSON.stringify(new URL("../dist/index.js", import.meta.url).href)};
    new Client({ url: ${JSON.stringify(address)}, agentId: "a" }).capture([{ role: "user", content: "I drink tea." }]);`;
  const ran = (address) =>
    new Promise((ended) => {
      const began = Date.now();
      const process = spawn(globalThis.process.execPath, ["--input-type=module", "--eval", program(address)]);
      process.on("exit", (status) => ended({ status, seconds: (Date.now() - began) / 1000 }));
    });

  const up = await ran(url);
  const down = await ran("http://127.0.0.1:1");

  assert.deepEqual([up.status, down.status, received.length], [0, 0, 1]);
  assert.ok(down.seconds < 60);
});

test("blocks come out, and a text that imitates many takes no longer than another", () => {
  const many = Array.from({ length: 60_000 }, (_, at) => `<memories-${100_000 + at}>\n`).join("");

  assert.equal(withoutBlocks(`Before.\n${BLOCK}After <memories-123456789>.`), "Before.\nAfter <memories-123456789>.");
  for (const text of ["Hi", "\nHi\n\n", "", "\n"]) {
    assert.equal(withoutBlocks(`${BLOCK}${BLOCK}\n${text}`), text);
    assert.equal(withoutBlocks(`${text || "-"}\n\n${BLOCK}${BLOCK}`), text || "-");
  }
  assert.equal(withoutBlocks(`${many}</memories-9999999>`), `${many}</memories-9999999>`);
});

const cases = (name) => JSON.parse(readFileSync(new URL(`../../../tests/data/${name}.json`, import.meta.url), "utf8"));

test("a session is derived from how the conversation begins, as in the Python client", () => {
  for (const { name, messages, agent_id, user_id, session: expected } of cases("derived_sessions")) {
    const derived = derivedSession(messages, { agentId: agent_id ?? undefined, userId: user_id ?? undefined, key: "key" });
    assert.equal(derived ?? null, expected, name);
  }
});

test("what a user wrote is kept and nothing else, as in the other clients", () => {
  const { kept, gone, parted } = cases("authored");

  for (const text of Object.values(kept).flat()) assert.equal(authored(text), text);
  for (const text of Object.values(gone).flat()) assert.equal(authored(text), "", text);
  for (const [text, said] of Object.values(parted).flat()) assert.equal(authored(text), said, text);
});

test("a turn has what the user said and the answer", () => {
  const date = new Date("2026-05-04T03:02:01Z");
  const messages = [
    ...TURN,
    { role: "user", content: "I keep bees.", createdAt: date },
    { role: "assistant", content: "Let me look.", tool_calls: [{ id: "1" }] },
    { role: "tool", content: "20" },
    { role: "human", content: [{ type: "text", text: "In Tornio." }, { type: "image", data: PICTURE }], name: "Isla" },
  ];

  const asked = [
    { role: "user", content: "I keep bees.", timestamp: "2026-05-04T03:02:01.000Z" },
    { role: "user", content: "In Tornio.", name: "Isla" },
  ];
  assert.deepEqual(turn(messages, `<think>Hm.</think>Fine. ${PICTURE}`), [...asked, { role: "assistant", content: "Fine." }]);
  assert.deepEqual(turn(messages, BLOCK), []);
  assert.deepEqual(turn([], "Fine."), []);
  assert.deepEqual(turn([TURN[1]], "Fine."), []);
  assert.deepEqual(turn(TURN, "Fine."), [TURN[0], { role: "assistant", content: "Fine." }]);
});

test("a turn is all that the user said since the last final answer, as in the other clients", () => {
  for (const { name, messages, said } of cases("turns")) {
    const found = turn(messages, "Fine.");
    assert.deepEqual(found.slice(0, -1).map(({ content }) => content), said, name);
  }
});

test("every turn of a conversation is in the same session, as in Python", () => {
  const opening = [{ role: "system", content: "Be brief." }, { role: "user", content: " I  drink\u00a0tea.\ud800" }];

  const first = session(opening, "Noted. ", "k");
  const second = session([...opening, { role: "assistant", content: "Noted." }, { role: "user", content: "And milk." }], "Yes.", "k");

  assert.equal(first, "opening-71298be373043ddba14d3058c7d6edbe");
  assert.equal(second, first);
  assert.notEqual(session(opening, "Noted.", "of another"), first);
  assert.notEqual(session(opening, "Hello!", "k"), first);
});

test("the time of a message is read as by the service", () => {
  for (const [value, moment] of cases("message_times")) {
    const read = inIso(value);
    assert.equal(read && Date.parse(read), moment ? Date.parse(moment) : undefined, String(value));
    const message = { role: "user", content: "Tea.", created_at: value };
    assert.deepEqual(spoken([message]), [{ role: "user", content: "Tea.", ...(read ? { timestamp: read } : {}) }]);
  }
  assert.equal(inIso(new Date(0)), "1970-01-01T00:00:00.000Z");
  assert.equal(inIso(new Date(NaN)), undefined);
  for (const field of ["timestamp", "created_at", "createdAt", "time", "date"]) {
    assert.equal(spoken([{ role: "user", content: "Tea.", timestamp: "soon", [field]: 0 }])[0].timestamp, "1970-01-01T00:00:00.000Z");
  }
});

test("a conversation is sendable without its pictures", () => {
  const picture = { type: "image_url", image_url: { url: PICTURE } };
  const content = [picture, { type: "image", image: new Uint8Array(9) }, { type: "text", text: `![](${PICTURE}) My boat.` }];

  assert.deepEqual(sendable([{ role: "user", content, createdAt: new Date(0), timestamp: "soon" }, TURN[0]]), [
    {
      role: "user",
      content: [{ type: "image_url", image_url: { url: "" } }, { type: "image", image: "" }, { type: "text", text: "![]() My boat." }],
      createdAt: "1970-01-01T00:00:00.000Z",
      timestamp: "soon",
    },
    TURN[0],
  ]);
});

test("that there was nothing to capture is no warning, and not asked again", async (context) => {
  const warned = context.mock.method(console, "warn");
  const debugged = context.mock.method(console, "debug", () => {});
  behaviour = refuses(400, "nothing_to_capture");
  const speaking = client();

  for (let at = 0; at < 10; at++) speaking.capture(TURN, { sessionId: "s" });
  await untilSent(speaking);

  assert.deepEqual([received.length, debugged.mock.callCount(), warned.mock.callCount()], [10, 10, 0]);
});

// White space, and what shows nothing.
const BLANK = ["", " ", "\t", "\n", "\u0085", "\u00a0", "\u00ad", "\u180e", "\u200b", "\u2003\u200d", "\u2060", "\u2800", "\u3000", "\u3164", "\ufeff", "\u{e0020}"];

test("nothing is captured or assembled for a blank name", async () => {
  const speaking = client();

  for (const userId of BLANK) {
    speaking.capture(TURN, { userId, sessionId: "s" });
    const answer = await speaking.assemble(TURN, { model: "gpt-4o", userId });
    assert.equal(answer.messages, TURN);
    assert.equal(answer.reason, "blank_end_user");
  }
  await untilSent(speaking);

  assert.deepEqual(received, []);
});

test("a name that shows something is sent", async () => {
  const speaking = client();
  const names = ["7", "\u7528", "\u{1f600}", "a\u200b"];

  for (const userId of names) speaking.capture(TURN, { userId });
  await untilSent(speaking);

  assert.deepEqual(received.map(({ body }) => body.user_id).sort(), names.sort());
});

test("no end user is not a blank one", async () => {
  const speaking = client();

  for (const userId of [undefined, null]) speaking.capture(TURN, { userId });
  await untilSent(speaking);

  assert.deepEqual(received.map(({ body, headers }) => [body.user_id ?? null, headers["x-end-user-id"]]), [[null, undefined], [null, undefined]]);
});

test("nothing is captured for a blank agent", async () => {
  const speaking = client();

  for (const agentId of BLANK) speaking.capture(TURN, { agentId });
  await untilSent(speaking);

  assert.deepEqual(received, []);
});

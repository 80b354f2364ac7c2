import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { unchanged } from "../dist/answer.js";
import { explanation } from "../dist/explanations.js";

const CASES = JSON.parse(readFileSync(new URL("../../../tests/data/explanations.json", import.meta.url), "utf8"));

for (const { reason, explanation: words } of CASES) {
  test(`in words: ${reason || "nothing is missing"}`, () => {
    assert.equal(explanation(reason), words);
    assert.equal(unchanged([], reason).explanation, words);
  });
}

test("names of every object are no words", () => {
  assert.equal(explanation("constructor_timeout,toString"), "Constructor took too long. The service says toString. Send a longer deadline.");
});

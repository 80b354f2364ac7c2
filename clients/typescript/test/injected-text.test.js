import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { withoutBlocks } from "../dist/index.js";

// Made by the service from memories and directives that try to leave their blocks; a test there keeps the file current.
const CASES = JSON.parse(readFileSync(new URL("../../../tests/data/injected.json", import.meta.url), "utf8"));

test("whatever a memory contains, exactly what was injected comes out", () => {
  assert.ok(CASES.length > 5);
  for (const { injected } of CASES) {
    assert.equal(withoutBlocks(`Before.\n\n${injected}\nAfter.`), "Before.\n\n\nAfter.");
    assert.equal(withoutBlocks(`${injected}\n${injected}\nAfter.`), "After.");
    assert.equal(withoutBlocks(`Before.\n\n${injected}`), "Before.");
  }
});

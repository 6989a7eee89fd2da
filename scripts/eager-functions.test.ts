import assert from "node:assert/strict";
import { test } from "node:test";
import { runInThisContext } from "node:vm";
import { putInParentheses } from "./eager-functions.ts";

const rewrite = (code: string): string => putInParentheses(code, () => true).toString();

test("used functions are put in parentheses", () => {
  assert.equal(rewrite("const f=x=>y=>x+y;"), "const f=(x=>(y=>x+y));");
  assert.equal(rewrite("go(()=>{});"), "go((()=>{}));");
  assert.equal(
    rewrite("const o={a(){},async[b](x){}};"),
    "const o={a:(function(){}),[b]:(async function(x){})};",
  );
});

test("async arrow functions become functions, which V8 compiles at once, unless they use their surroundings' `this`", () => {
  assert.equal(rewrite("go(async()=>{});"), "go((async function() {}));");
  assert.equal(rewrite("go(async x=>x);"), "go((async function (x){return x}));");
  assert.equal(rewrite("go(async({a})=>({a}));"), "go((async function({a}){return ({a})}));");
  assert.equal(rewrite("go(async()=>this);"), "go((async()=>this));");
  assert.equal(rewrite("go(async()=>arguments);"), "go((async()=>arguments));");
});

test("declarations move to the start of the module or function, after imports and directives", () => {
  assert.equal(
    rewrite('import a from"a";use(f);function f(){}export{f};'),
    'import a from"a";var f=(function f(){});\nuse(f);export{f};',
  );
  assert.equal(
    rewrite('function f(){"use strict";g();async function g(){}}'),
    'var f=(function f(){"use strict";var g=(async function g(){});\ng();});\n',
  );
});

test("functions that cannot be expressions, or need not be hoisted, are left alone", () => {
  for (const code of [
    "class A{m(){}get x(){return 1}}",
    "const o={get x(){return 1},*g(){}};",
    "function*g(){}",
    "if(a){function f(){}}",
    "export function f(){}",
  ])
    assert.equal(rewrite(code), code);
});

test("the rewritten code does the same", async () => {
  const code = `
    const log = [];
    log.push(first(2), typeof second);
    function first(n) { return inner(n); function inner(k) { return k * 2; } }
    function second() {}
    const o = { a(n) { return this.b + n; }, b: 1, c: (n) => n + 1, get d() { return 4; } };
    log.push(o.a(2), o.c(2), o.d, o.a.name, first.name);
    [3, 1, 2].sort((a, b) => a - b).forEach((n) => log.push(n));
    const later = async n => await Promise.all([n, 2].map(async (k) => ({ k })));
    log.push(later.name, later.length, await later(1), await (async () => this)());
    return log;`;
  // Statements of a module cannot return, so the code is the body of a function.
  const whole = `(async function(){${code}})`;
  const run = (text: string): Promise<unknown> => runInThisContext(text).call("caller");
  assert.deepEqual(await run(rewrite(whole)), await run(whole));
});

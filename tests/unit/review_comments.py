"""A generator of review comments as models write them: prose with code in many languages and shapes. Seeded.

Every line of code holds a mark of its own, so that a leak of any of it can be seen; every sentence is known, so that
the share that stays can be counted.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

SENTENCES = """\
What happens when the list is empty, and who would notice?
The caller in the worker still expects the old order of the arguments.
If the request is cancelled between the two writes, which of them is rolled back?
Is it guaranteed that the lock is released when parsing fails?
For every retry the timeout doubles, but the deadline stays the same.
This looks like a copy of the branch above with one name left behind.
Have you considered what a user in another time zone sees on the day the clock changes?
The comment says that the value is in seconds; the caller passes milliseconds.
Why is the error swallowed here, when its twin raises?
Nothing in the tests covers the case in which both flags are set.
`None` and an empty string are treated alike; is that intended?
What does `user.name` hold before the profile is loaded?
The default of `timeout` changed from 30 to 5; does anybody rely on it?
Two requests that arrive at once may both see `count` at zero (see src/pool.py:42).
Return values of `close()` are ignored throughout, aren't they?
While the index is rebuilt, readers see half of it; is that acceptable?
I would expect <= rather than < here, since the last page is included.
Import order matters in this module, as the comment at the top explains.
Let me ask about the last case: a negative offset.
With 10 items a page, page 3 starts at 20 and not at 21, doesn't it?
Try it with a name of 256 characters; what does the database say?
In other words: who owns the buffer after this call?
The cache key holds the id but not the tenant, so one tenant may see another's data.
Where is `MAX_RETRIES` read, and can it be 0?
Class names aside, which of the two is the source of truth?
Is `items[0]` safe when `items` comes from the network?
Do both sides agree that the amount is in cents?
Note that on Windows the path has backslashes and this check fails.
Could the loop run forever if the server keeps answering 429?
It is not clear to me which thread runs the callback.
From what I can see, the file is opened twice and closed once.
Print statements are left in the handler; are they meant to stay?
A half-written file stays behind if the disk is full.
Hm, what about daylight saving time?
What about NaN?
Who calls this?
Was ist, wenn der Preis fehlt und der Rabatt trotzdem berechnet wird?
¿Qué ocurre si la conexión se cierra antes de confirmar?
Que se passe-t-il si le fichier est vide ou absent ?
价格为空时会发生什么？
""".splitlines()

LEADS = (
    "Consider:",
    "For example:",
    "Something like this:",
    "You could do:",
    "Suggested fix:",
    "Here is a fix:",
    "Instead:",
    "Maybe:",
    "e.g.",
    "The usual form is this one:",
    "Perhaps write it as follows:",
    "Why not",
    "Before:",
    "Proposal:",
)

CODE = {
    "python": """\
def total{0}(items):
    result{0} = 0
    for item{0} in items:
        result{0} += item{0}.price or 0
    return result{0}
---
try:
    value{0} = cache{0}[key]
except KeyError:
    value{0} = load{0}(key, timeout=5)
---
with open(path{0}, "rb") as file{0}:
    data{0} = file{0}.read()
---
if not items{0}:
    raise ValueError(f"empty: {{items{0}}}")
---
import functools{0}
from math{0} import fsum
total{0} = functools{0}.reduce(fsum, prices)
---
prices{0} = [item.price for item in cart{0} if item.price is not None]
---
assert isinstance(x{0}, int), "must be an int"
---
class Cart{0}(Base):
    @property
    def size{0}(self) -> int:
        return len(self._items{0})""",
    "javascript": """\
const total{0} = items.reduce((sum, item) => sum + (item.price ?? 0), 0);
return total{0};
---
async function load{0}(id) {{
  const response{0} = await fetch(`/api/${{id}}`);
  if (!response{0}.ok) {{
    throw new Error("failed{0}");
  }}
  return response{0}.json();
}}
---
useEffect(() => {{
  const timer{0} = setInterval(tick, 1000);
  return () => clearInterval(timer{0});
}}, []);
---
items{0}
  .filter(item => item.active)
  .map(item => item.name{0});
---
export default function App{0}() {{
  return <Cart{0} items={{items}} />;
}}""",
    "typescript": """\
interface Props{0} {{
  name{0}: string;
  onChange?: (value: string) => void{0};
}}
---
export const parse{0} = (raw: string): Result<number> => {{
  const n{0} = Number(raw);
  return Number.isNaN(n{0}) ? err("nan") : ok(n{0});
}};""",
    "go": """\
if err{0} := rows.Err(); err{0} != nil {{
	return nil, fmt.Errorf("rows: %w", err{0})
}}
---
func (c *Cart{0}) Total() int {{
	c.mu{0}.Lock()
	defer c.mu{0}.Unlock()
	return c.total{0}
}}
---
ctx{0}, cancel := context.WithTimeout(ctx, 5*time.Second)
defer cancel{0}()""",
    "rust": """\
let total{0}: u64 = items.iter().map(|i| i.price).sum();
---
match map{0}.get(&key) {{
    Some(value{0}) => value{0}.clone(),
    None => return Err(Error::Missing{0}),
}}
---
pub fn size{0}(&self) -> usize {{
    self.items{0}.len()
}}""",
    "java": """\
public int total{0}(List<Item> items) {{
    int sum{0} = 0;
    for (Item item : items) {{
        sum{0} += item.getPrice();
    }}
    return sum{0};
}}
---
Objects.requireNonNull(name{0}, "name");
this.name{0} = name{0};
---
try (InputStream in{0} = Files.newInputStream(path)) {{
    return in{0}.readAllBytes();
}}""",
    "c": """\
#include <string{0}.h>
char *copy{0} = malloc(strlen(s) + 1);
if (copy{0} == NULL) {{
    return -ENOMEM{0};
}}
strcpy(copy{0}, s);
---
for (size_t i{0} = 0; i{0} < n; i{0}++) {{
    free(items[i{0}]);
}}""",
    "cpp": """\
std::lock_guard<std::mutex> lock{0}(mutex_);
auto it{0} = map_.find(key);
if (it{0} == map_.end()) return std::nullopt;
---
for (const auto& item{0} : items) {{
  total += item{0}.price;
}}""",
    "ruby": """\
def total{0}(items)
  items.sum {{ |item| item.price{0} || 0 }}
end
---
raise ArgumentError, "empty{0}" if items{0}.empty?
---
items{0}.each do |item|
  puts item.name{0}
end""",
    "php": """\
$total{0} = array_sum(array_column($items, 'price'));
return $total{0} ?? 0;
---
foreach ($items as $item{0}) {{
    $sum += $item{0}->price;
}}""",
    "kotlin": """\
val total{0} = items.sumOf {{ it.price ?: 0 }}
---
fun size{0}(): Int = items{0}.size""",
    "csharp": """\
var total{0} = items.Sum(i => i.Price ?? 0);
---
public async Task<int> Load{0}(CancellationToken token)
{{
    await using var stream{0} = File.OpenRead(path);
    return stream{0}.Length;
}}""",
    "sql": """\
SELECT id{0}, price FROM items WHERE price IS NOT NULL;
---
UPDATE items SET price{0} = 0 WHERE price IS NULL;""",
    "sh": """\
set -euo pipefail{0}
for f in *.txt; do
  mv "$f" "dir{0}/$f"
done
---
export PATH{0}="$HOME/bin:$PATH"
sed -i 's/a/b{0}/' file.txt""",
    "json": """\
{{
  "name{0}": "cart",
  "retries{0}": 3
}}""",
    "yaml": """\
jobs:
  test{0}:
    runs-on: linux
    steps{0}:
      - run: make""",
    "html": """\
<div class="cart{0}" onclick="go()">
  <span>{0}</span>
</div>""",
    "text": """\
for each item{0}
  if price missing then skip{0}
  add price{0}""",
}

INLINE = (
    "x{0} = foo(y)",
    "items{0} = items{0} or []",
    "if (!user{0}) return;",
    "const n{0} = Number(raw) ?? 0;",
    "sum(i.price for i in cart{0})",
    "lambda item{0}: item.price",
    "items{0}.map(x => x.id)",
    "raise ValueError('x{0}')",
    "return result{0} or 0",
    "user{0} && user{0}.name",
    "with open(path{0}) as f:",
    "for (int i{0} = 0; i{0} < n; i{0}++)",
    "let total{0} = 0;",
    "max(item.price, floor{0})",
    "a{0} ? b : c",
    "from os import path{0}",
    "SELECT * FROM t{0} WHERE id = 1",
    "self._items{0}.append(item.copy())",
    "await load{0}(item.id, 5)",
    "result{0} += item.price or 0",
    "try: go{0}() except Exception: pass",
)

FENCED = (
    *("fence", "fence", "fence", "tilde", "long", "upper", "quote", "item", "numbered"),
    *("loose", "dedented", "late", "html", "indented", "diff", "bare diff", "cell", "suggestion"),
    *("no language", "details", "glued", "unclosed"),
)


@dataclass(frozen=True)
class Comment:
    """A comment, the sentences in it, and the marks of its code, none of which may be said."""

    text: str
    sentences: tuple[str, ...]
    marks: tuple[str, ...]
    shape: str


def comment_of(seed: int, shapes: tuple[str, ...] = (*FENCED, "inline", "inline")) -> Comment:
    """One comment of a shape that the seed chooses."""
    dice = random.Random(seed)
    shape = dice.choice(shapes)
    language = dice.choice(list(CODE))
    mark = f"Zq{seed}z"
    code = dice.choice(CODE[language].split("\n---\n")).format(mark)
    before = dice.sample(SENTENCES, dice.randint(1, 3))
    after = (
        [] if shape == "unclosed" else dice.sample([one for one in SENTENCES if one not in before], dice.randint(0, 2))
    )
    if shape == "inline":
        piece = dice.choice(INLINE).format(mark)
        ticks = dice.choice(("`", "`", "``", "```"))
        sentence = dice.choice(
            ("You could write {} here, no?", "Why not {}, as elsewhere?", "Would {} do?", "Is {} what you mean?")
        )
        block, shown = sentence.format(f"{ticks}{piece}{ticks}"), tuple(sentence.split("{}"))
        glue = dice.choice((" ", "\n", "\n\n"))
        text = glue.join([" ".join(before), block, " ".join(after)])
        return Comment(text, (*before, *after, *(one.strip() for one in shown if one.strip())), (mark,), shape)
    block = framed(shape, code, language, dice)
    lead = dice.choice(LEADS) if dice.random() < 0.4 else ""
    space = "\n\n" if shape in {"indented", "cell", "details"} else dice.choice(("\n", "\n\n"))
    head = " ".join([*before, lead]).rstrip()
    late = shape == "late"
    text = head + (" " if late else space) + block + (space if after or late else "") + " ".join(after)
    return Comment(text, tuple(before + after), (mark,), shape)


def framed(shape: str, code: str, language: str, dice: random.Random) -> str:
    """Code in a frame of a shape, as Markdown or as what comes near it."""
    lines = code.split("\n")

    def each(prefix: str, some: list[str] = lines) -> str:
        return "\n".join((prefix + line).rstrip() for line in some)

    fenced = [f"```{language}", *lines, "```"]
    return {
        "fence": "\n".join(fenced),
        "tilde": f"~~~ {language}\n{code}\n~~~",
        "long": f"`````md\n```{language}\n{code}\n```\n`````",
        "upper": f'``` {language.title()} title="x"\n{code}\n```',
        "quote": each("> ", fenced),
        "item": "- " + each("  ", fenced).lstrip(),
        "numbered": "1. " + each("   ", fenced).lstrip(),
        "loose": "- a point:\n\n" + each("    ", fenced),
        "dedented": f"1. ```{language}\n{code}\n```",
        "late": f"```{language}\n{code}\n```",
        "html": f'<pre><code class="language-{language}">{code}</code></pre>',
        "indented": each("    "),
        "diff": "```diff\n" + each("-") + "\n" + each("+") + "\n```",
        "bare diff": f"--- a/src/x.py\n+++ b/src/x.py\n@@ -1,{len(lines)} +1,{len(lines)} @@\n"
        + each("-")
        + "\n"
        + each("+"),
        "cell": "| now | better |\n| --- | --- |\n| ok | ```"
        + code.replace("\n", "<br>").replace("|", "\\|")
        + "``` |",
        "suggestion": f"```suggestion\n{code}\n```",
        "no language": f"```\n{code}\n```",
        "details": f"<details>\n<summary>more</summary>\n\n```{language}\n{code}\n```\n\n</details>",
        "glued": f"```{language}\n{code}\n```",
        "unclosed": f"```{language}\n{code}",
        "bare": code,
    }[shape]


def bare_comment(seed: int) -> Comment:
    """A comment whose code nothing marks."""
    return comment_of(seed, ("bare",))

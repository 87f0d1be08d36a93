"""Lines that define a function are told from those that call it, in the common languages."""

from __future__ import annotations

import pytest

from socreates_lsp.agent.definitions import defines, module_of, strangeness

DEFINITIONS = (
    ("java", "  public int run(int x) {"),
    ("java", "  public static <T> List<T> run(T x) throws IOException {"),
    ("java", "  @Override public Map<String, List<Integer>> run("),
    ("java", "  int run(int x);"),
    ("c", "int run(int x)"),
    ("c", "static const char *run(int x) {"),
    ("c", "run(int x)"),
    ("cpp", "  std::vector<int> A::run(int x) {"),
    ("cpp", "  virtual void run(int x) const = 0;"),
    ("csharp", "  public async Task<int> run(int x) {"),
    ("go", "func (s *S) run(x int) int {"),
    ("go", "func run(x int) int {"),
    ("rust", "    pub(crate) async fn run(&self, x: i32) -> i32 {"),
    ("php", "  public function run($x) {"),
    ("php", "  public function &run($x) {"),
    ("kotlin", "  override suspend fun run(x: Int): Int {"),
    ("kotlin", "fun <T> List<T>.run(x: Int): Int {"),
    ("typescript", "  private async run(x: number): Promise<void> {"),
    ("typescript", "  run = async (x: number) => {"),
    ("javascript", "module.exports.run = function (x) {"),
    ("javascript", "  run(x) {"),
    ("javascript", "const run = x => x + 1;"),
    ("javascript", "  run: function (x) {"),
    ("ruby", "  def self.run(x)"),
    ("lua", "local function run(x)"),
    ("lua", "M.run = function(x)"),
    ("bash", "run() {"),
    ("swift", "  func run(x: Int) -> Int {"),
    ("ocaml", "let rec run x ="),
    ("haskell", "run :: Int -> Int"),
    ("objective-c", "- (int)run:(int)x {"),
    ("python", "    async def run(self, a):"),
    ("python", "run = lambda x: x"),
)
CALLS = (
    ("java", "    return run(2);"),
    ("java", "  int use() { return run(2); }"),
    ("java", "    int y = run(2);"),
    ("java", "    throw run(2);"),
    ("c", "    run(2);"),
    ("c", "    else run(2);"),
    ("c", "int main(void) { return run(2); }"),
    ("c", "    if (run(2)) {"),
    ("cpp", "  Foo bar(run(2));"),
    ("cpp", "  auto y = a.run(2);"),
    ("csharp", "    await run(2);"),
    ("go", "\ts.run(2)"),
    ("rust", "    let y = s.run(2);"),
    ("php", "(new A)->run(2);"),
    ("kotlin", "  run(2) { it + 1 }"),
    ("typescript", "  run(() => {"),
    ("javascript", "  const y = run(x);"),
    ("javascript", "  if (await run(x)) {"),
    ("ruby", "run(2) do |x|"),
    ("bash", "run /tmp/x"),
    ("python", "    total: int = run(a)"),
    ("python", "    return run(lambda x: x)"),
    ("python", "handler = run"),
)


@pytest.mark.parametrize(("language", "line"), DEFINITIONS)
def test_a_definition_is_one(language: str, line: str) -> None:
    assert defines(line, "run", language)
    assert not defines(line, "ru", language)


@pytest.mark.parametrize(("language", "line"), CALLS)
def test_a_call_is_none(language: str, line: str) -> None:
    assert not defines(line, "run", language)


def test_families_and_modules() -> None:
    assert [strangeness(path, "a.py") for path in ("b.pyi", "b.toml", "b", "b.rs")] == [0, 1, 1, 2]
    assert strangeness("a.ts", "b.jsx") == strangeness("a.h", "b.cc") == 0
    modules = [module_of(path) for path in ("pkg/shop.py", "pkg/__init__.py", "ui/index.test.ts", "index.js", "a.py")]
    assert modules == ["shop", "pkg", "ui", "", ""]

"""The words of every review: what a remark is made of that would fit any file. English; pure data."""

from __future__ import annotations

import re

COMMON = frozenset(
    re.findall(
        r"[\w-]+",
        """
a about across after again against all along already also although am an and any are aren as at be because been
before being between both but by can could couldn did didn do does doesn doing don done down during each either
etc even ever few for from had hadn has hasn have haven having he her here his how i if in instead into is isn
it its just let lets like may me might mine more most must my neither never no nor not now of on once one only
onto or other our out over own per rather same shall she should shouldn since so some still such than that the
their them then there these they this those though through to too two under unless unlike until up upon us very
via was wasn we were weren what when where which while who whom whose why will with within without won would
wouldn yet you your
""",
    )
)
"""Words that hold sentences together."""

GENERIC = frozenset(
    re.findall(
        r"[\w-]+",
        """
able about above absent accept acceptable access accessible accident accurate actual add add-on
additional adequate adhere adjust advise affect ahead algorithm align all allow alternative always
ambiguous annotation another anything api appear application approach appropriate architecture argument array
aspect assert assertion assume assumed assumption async attack attribute author avoid await aware bad base
basic become before begin behave behavior behaviour being below benefit best better beyond big block
boilerplate boolean bottleneck bound boundary break broad broken bug build built call caller can cannot
capture careful carefully case catch cause cautious certain change character check choice choose circumstance
clarify clarity class clean cleaner cleanup clear clearer clearly code codebase coding cohesion collection
comment common compatibility complete complex complexity component comprehensive concern concise concurrency
concurrent condition conditional confirm confuse connection consequence consider consideration considered
consistency consistent constant constraint contain contract control convention convert corner correct correctly
correctness corrupt cost could couple cover coverage create credential critical current custom data
database deal debug declare decouple decoupling default defensive define definition dependency dependent
describe description descriptive design desirable detail determine develop developer different difficult
directly doc docstring document documentation documented domain done dry duplicate duplicated duplication
during early easier easily easy edge effect effective efficiency efficient element eliminate else empty
encapsulate encapsulation enforce enhance enough ensure entire entry environment equal error escape especially
evaluate every example exception execute execution exist existing expect expectation expected expensive
explain explanation explicit explicitly exploit expose extend extensibility extensible external extra extract
fail failing failure fallback false fault feature field file find fine fix flag flexible flow follow following
forget format fragile framework function functionality future general generic get given global good graceful
gracefully guarantee guard guideline handle handled handler handling happen hard hardcode hardcoded harden have
helper hide high hinder hint hold however idea identifier idiomatic ignore impact implement implementation
implication implicit import important improve improved improvement include inconsistent incorrect increase
indicate inefficient information initialize injection input inside instance instead integer integrate
intend intended intent intention interface internal introduce invalid invalidate invariant invoke isolate issue
item iterate iteration keep know known lack language large lead leak leaking leave length less level
library likely limit line linter list literal load local log logged logging logic long look loop lose loss
low magic main maintain maintainability maintainable maintained maintenance make malformed malicious manage
management manner many match maybe mean meaning meaningful measure mechanism memory mention message method
might mind minimal misleading miss missing mistake mock mode modern modify modular modularity module more most
much multiple multithread must mutable mutate mutation name named naming need negative nest nested never new
none normal note nothing notice null number object obscure obvious obviously occur off offer often one only
open operation optimal optimisation optimise optimization optimize option optional organize other
otherwise output outside overall overflow overhead overly own package pair parameter parse part particular pass
pattern perform performance perhaps permission plain please point poor possible possibly potential
potentially practice precise precondition prefer present prevent previous principle print probably problem
problematic procedure process produce production program project proper properly property protect provide
provided purpose quality question quite race raise random range rather reach read readability readable reader
real reason reasonable receive recommend recommended reconsider recover recovery reduce redundant refactor
refactoring reference reflect regard relate related release relevant reliability reliable rely remove
repeat repeated replace report represent request require required requirement resilience resilient resource
respect respond response responsibility responsible rest restrict result return returned reusability
reusable reuse review reviewer revise right risk risky robust robustness rule run runtime safe safely safety
same sanitise sanitization sanitize scalability scalable scale scenario scope secret section secure security
see seem self sense sensitive separate separation set setting several share shared short should side silent
silently similar simple simpler simplicity simplify single situation size slow small smaller smell solid
solution some something source special specific specify split sql stability standard start state statement
static step still stop storage store string strong structure structured style subtle succeed success suggest
suggestion suitable support sure swallow swallowed system take team technique term test testability
testable tested testing text thing think thorough thread threading throughout throw tight time together
tool trace track treat true truly trust try two type typing unclear undefined understand
understandable understanding undocumented unexpected unhandled unintended unique unit unnecessary unneeded
unreadable unsafe untested unused update upper usage use used useful user usual utility valid validate
validated validation value variable various vary verbose verify very via violate vulnerability vulnerable wait
warn warning way weak well where whether whole will wise within without word work world worth would wrap write
written wrong xss year yet zero characteristic dataset heavy throughput latency
""",
    )
)
"""Words of which advice for any code is made, in their base forms."""

KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """
abstract and as assert async auto await begin bool boolean break byte case catch char class const continue def default
defer del delete do double elif else elsif end enum except exception export extends extern final finally float fn for
foreach from fun func function global go goto if impl implements import in include instanceof int interface is lambda
let long match module mut namespace new not null object of or override package pass private protected public raise
readonly rescue return self short signed sizeof static string struct super switch template this throw throws trait try
type typedef typeof union unless unsigned until use using val var virtual void volatile when where while with yield
""",
    )
)
"""Words of programming languages, which name nothing."""

import { hueOf, initialsOf, plain } from './words.ts'

/** Teams by the colours they wear: letters, two colours, how the second lies on the first (see team.ts), names. */
const TABLE = `
ARS db0007 ffffff 2 arsenal
AVL 670e36 95bfe5 5 aston villa
BHA 0057b8 ffffff 1 brighton
BOU da291c 111111 1 bournemouth
BRE e30613 ffffff 1 brentford
BUR 6c1d45 99d6ea 5 burnley
CHE 034694 ffffff 0 chelsea
CRY 1b458f c4122e 1 crystal palace
EVE 003399 ffffff 0 everton
FUL ffffff 111111 5 fulham
LEE ffffff 1d428a 5 leeds
LIV c8102e ffffff 0 liverpool
MCI 6cabdd ffffff 0 manchester city|man city
MUN da291c fbe122 0 manchester united|man united
NEW 241f20 ffffff 1 newcastle
NFO dd0000 ffffff 0 nottm forest|nottingham forest
SUN eb172b ffffff 1 sunderland
TOT ffffff 132257 5 tottenham|spurs
WHU 7a263a 1bb1e7 5 west ham
WOL fdb913 231f20 0 wolves|wolverhampton
AJA ffffff d2122e 3 ajax
ATH ee2523 ffffff 1 athletic club|athletic bilbao
ATM cb3524 ffffff 1 atletico madrid|atletico
FCB a50044 004d98 1 barcelona
BAS d5001c 0d3b8c 2 basel
BAY dc052d ffffff 3 bayern munich|bayern
LEV e32221 111111 5 leverkusen|bayer leverkusen
BEN e30613 ffffff 0 benfica
CEL 018749 ffffff 3 celtic
BRU 0067b1 111111 1 club brugge
BVB fde100 111111 4 dortmund|borussia dortmund
SGE 111111 e1000f 1 eintracht frankfurt
FEN 163962 ffed00 1 fenerbahce
FEY e2001a ffffff 2 feyenoord
GAL a90432 fdb912 2 galatasaray
INT 0068a8 111111 1 inter|inter milan
MIL c8102e 111111 1 milan|ac milan
JUV ffffff 111111 1 juventus
OM ffffff 2faee0 5 marseille
MON e51b22 ffffff 6 monaco|as monaco
NAP 12a0d7 ffffff 0 napoli
NIC c8102e 111111 1 nice
OLY d4002a ffffff 1 olympiakos|olympiacos
PSG 0a2a5e da291c 4 psg|paris saint germain
PSV ed1c24 ffffff 1 psv
POR 00428c ffffff 1 porto
RAN 1b458f ffffff 0 rangers
RMA ffffff 3d2f8f 4 real madrid
SLA e30613 ffffff 2 slavia prague|slavia pragu
SCP 008057 ffffff 3 sporting|sporting cp
STU ffffff 111111 2 sturm graz
USG ffdd00 0b4ea2 5 union saint gilloise
VIL ffe667 005187 0 villarreal
ATL e03a3e 26282a 0 atlanta hawks
BOS 007a33 ffffff 0 boston celtics
BKN 111111 ffffff 0 brooklyn nets
CHA 1d1160 00788c 4 charlotte hornets
CHI ce1141 111111 5 chicago bulls
CLE 860038 fdbb30 4 cleveland cavaliers
DAL 00538c b8c4ca 3 dallas mavericks
DEN 0e2240 fec524 4 denver nuggets
DET 1d42ba c8102e 5 detroit pistons
GSW 1d428a ffc72c 5 golden state warriors
HOU ce1141 c4ced4 3 houston rockets
IND 002d62 fdbb30 4 indiana pacers
LAC c8102e 1d428a 5 los angeles clippers|la clippers
LAL 552583 fdb927 5 los angeles lakers|la lakers
MEM 5d76a9 12173f 5 memphis grizzlies
MIA 98002e f9a01b 4 miami heat
MIL 00471b eee1c6 3 milwaukee bucks
MIN 0c2340 78be20 4 minnesota timberwolves
NOP 0c2340 c8102e 3 new orleans pelicans
NYK 006bb6 f58426 5 new york knicks
OKC 007ac1 ef3b24 4 oklahoma city thunder
ORL 0077c0 111111 5 orlando magic
PHI 006bb6 ed174c 3 philadelphia 76ers
PHX 1d1160 e56020 4 phoenix suns
POR e03a3e 111111 4 portland trail blazers
SAC 5a2d81 63727a 5 sacramento kings
SAS 111111 c4ced4 4 san antonio spurs
TOR ce1141 111111 3 toronto raptors
UTA 002b5c f9a01b 5 utah jazz
WAS 002b5c e31837 3 washington wizards
ANA f47a38 111111 4 anaheim ducks
BOS fcb514 111111 0 boston bruins
BUF 003087 ffb81c 3 buffalo sabres
CGY d2001c faaf19 3 calgary flames
CAR cc0000 111111 3 carolina hurricanes
CHI cf0a2c 111111 3 chicago blackhawks
COL 6f263d 236192 4 colorado avalanche
CBJ 002654 ce1126 4 columbus blue jackets
DAL 006847 111111 3 dallas stars
DET ce1126 ffffff 0 detroit red wings
EDM 041e42 ff4c00 3 edmonton oilers
FLA 041e42 c8102e 4 florida panthers
LAK 111111 a2aaad 3 los angeles kings
MIN 154734 a6192e 3 minnesota wild
MTL af1e2d 192168 3 montreal canadiens
NSH ffb81c 041e42 5 nashville predators
NJD ce1126 111111 5 new jersey devils
NYI 00539b f47d30 3 new york islanders
NYR 0038a8 ce1126 4 new york rangers
OTT c52032 111111 4 ottawa senators
PHI f74902 111111 0 philadelphia flyers
PIT 111111 fcb514 3 pittsburgh penguins
SJS 006d75 111111 3 san jose sharks
SEA 001628 99d9d9 4 seattle kraken
STL 002f87 fcb514 4 st louis blues
TBL 002868 ffffff 0 tampa bay lightning
TOR 00205b ffffff 3 toronto maple leafs
UTA 111111 71afe5 3 utah mammoth|utah hockey club
VAN 00205b 00843d 3 vancouver canucks
VGK 333f42 b4975a 4 vegas golden knights
WSH c8102e 041e42 5 washington capitals
WPG 041e42 7b303e 3 winnipeg jets
ARI 97233f 111111 3 arizona cardinals
ATL a71930 111111 5 atlanta falcons
BAL 241773 9e7c0c 3 baltimore ravens
BUF 00338d c60c30 3 buffalo bills
CHI 0b162a c83803 3 chicago bears
CIN fb4f14 111111 1 cincinnati bengals
DAL 003594 869397 3 dallas cowboys
DEN fb4f14 002244 5 denver broncos
DET 0076b6 b0b7bc 3 detroit lions
GB 203731 ffb612 5 green bay packers
KC e31837 ffb81c 3 kansas city chiefs
LV 111111 a5acaf 5 las vegas raiders
LAR 003594 ffa300 4 los angeles rams
MIN 4f2683 ffc62f 5 minnesota vikings
NE 002244 c60c30 3 new england patriots
NYG 0b2265 a71930 3 new york giants
NYJ 125740 ffffff 3 new york jets
PHI 004c54 a5acaf 3 philadelphia eagles
PIT 111111 ffb612 4 pittsburgh steelers
SF aa0000 b3995d 3 san francisco 49ers
SEA 002244 69be28 3 seattle seahawks
TB d50a0a 34302b 5 tampa bay buccaneers
WAS 5a1414 ffb612 3 washington commanders
`

interface Team {
  letters: string
  first: string
  second: string
  pattern: number
}
const known = new Map<string, Team>()
for (const entry of TABLE.trim().split('\n')) {
  const [, letters, first, second, pattern, names] = /^(\w+) (\w+) (\w+) (\d) (.+)$/.exec(entry)!
  for (const name of names!.split('|')) known.set(name, { letters: letters!, first: first!, second: second!, pattern: Number(pattern) })
}

/** Pairs of colours for teams that the table does not know. */
const WORN =
  '1d428a ffc72c|b91c33 ffffff|0b6b4f ffffff|5b2a86 f2c14e|111827 e5484d|0e7490 ffffff|c2410c 1f2937|14532d facc15|1e3a8a ffffff|831843 f9a8d4|334155 38bdf8|ffffff 1d4ed8'
    .split('|')
    .map((pair) => pair.split(' '))

/** Returns the colours of a known team; null for any other name. */
export const teamNamed = (name: string): Team | null => known.get(plain(name).replace(/ (fc|cf|sc|afc)$/, '')) ?? null

/** Returns seeded colours for a team that nothing is known of; null without any letter. */
export function someTeam(name: string): Team | null {
  const letters = initialsOf(name, 3).slice(0, 3)
  const key = plain(name)
  const pair = WORN[(hueOf(key) * 5 + key.length) % WORN.length]!
  return letters === '' ? null : { letters, first: pair[0]!, second: pair[1]!, pattern: (hueOf(`${key} cut`) * 3) % 7 }
}

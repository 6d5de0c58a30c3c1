import { compoundsOf } from './terms.ts'

/** Names for the same thing, a line each. Operators add names of their own as tags. */
const TABLE = `
bitcoin | btc | xbt
ethereum | eth | ether
solana | sol
ripple | xrp
dogecoin | doge
cardano | ada
binance coin | bnb
litecoin | ltc
avalanche | avax
polkadot | dot
hyperliquid | hype
microstrategy | mstr | strategy
crypto | cryptocurrency | cryptocurrencies | cripto | criptomonedas | عملات رقمية
airdrop | token launch
s&p 500 | sp500 | spx | spy
nasdaq | ndx | qqq
dow jones | djia
gold | xau
silver | xag
crude oil | oil | wti | brent
apple | aapl
microsoft | msft
google | alphabet | googl | goog
amazon | amzn
tesla | tsla
nvidia | nvda
facebook | meta
twitter | x.com
openai | chatgpt | open ai
anthropic | claude
artificial intelligence | ai
us | usa | u.s. | united states | america | estados unidos | eeuu | أمريكا
uk | united kingdom | britain | great britain | england | reino unido | بريطانيا
eu | european union | europe | unión europea
uae | united arab emirates | emirates
russia | russian | rusia | روسيا
ukraine | ukrainian | ucrania | أوكرانيا
china | chinese | prc | الصين
taiwan | taiwanese | roc
south korea | korea | korean | rok
north korea | dprk
saudi arabia | saudi | ksa | السعودية
turkey | türkiye | turkish
czechia | czech republic | czech
netherlands | holland | dutch
germany | german | deutschland | alemania
france | french | francia | فرنسا
spain | spanish | españa | إسبانيا
italy | italian | italia
brazil | brazilian | brasil | البرازيل
mexico | mexican | méxico
argentina | argentine | الأرجنتين
england | english | inglaterra
ivory coast | cote d'ivoire
cape verde | cabo verde
dr congo | drc | democratic republic of congo
israel | israeli | إسرائيل
iran | iranian | إيران
india | indian
japan | japanese | japón
poland | polish
egypt | egyptian | مصر
morocco | moroccan | marruecos | المغرب
kyiv | kiev
odesa | odessa
new york city | nyc | new york | ny
los angeles | la
san francisco | sf
washington dc | dc
california | calif
texas | tx
florida | fl
pennsylvania | penn
republican | republicans | gop | republicanos
democrat | democrats | democratic | dem | dems | demócratas
president | presidential | presidency | potus | presidente | presidencia | رئيس
vice president | vp | veep
supreme court | scotus
house of representatives | house | congress
prime minister | pm
general election | ge
election | elections | elecciones | elección | انتخابات
donald trump | trump | djt
joe biden | biden
kamala harris | kamala
jd vance | vance | j.d. vance
gavin newsom | newsom
alexandria ocasio-cortez | aoc | ocasio cortez
robert f. kennedy | rfk | rfk jr
marjorie taylor greene | mtg
ron desantis | desantis
bernie sanders | bernie
volodymyr zelenskyy | zelensky | zelenskiy | zelenskyy
vladimir putin | putin
benjamin netanyahu | bibi | netanyahu
mohammed bin salman | mbs
narendra modi | modi
elon musk | elon
jerome powell | jpow | powell
sam altman | sama
federal reserve | fed | fomc
european central bank | ecb
bank of england | boe
bank of japan | boj
interest rate | interest rates | rate cut | rate hike
consumer price index | cpi | inflation
gross domestic product | gdp
initial public offering | ipo
fully diluted valuation | fdv | market cap
mergers and acquisitions | m&a
stock market | stocks | equities
nba | basketball | national basketball association | baloncesto
nfl | national football league | american football
super bowl | superbowl
mlb | baseball | major league baseball | béisbol
nhl | hockey | ice hockey
wnba | women's basketball
ncaa | college sports
march madness | ncaa tournament
mls | major league soccer
ufc | mma | mixed martial arts
formula 1 | f1 | formula one | grand prix
soccer | football | fútbol | futbol | كرة القدم
world cup | fifa | mundial | wc | كأس العالم
premier league | epl | english premier league
champions league | ucl | uefa champions league
europa league | uel
la liga | laliga
european championship | euros | euro 2028
olympics | olympic games | juegos olímpicos
tennis grand slam | grand slam
us open | usopen
most valuable player | mvp
rookie of the year | roy
manchester united | man utd | man united | man u | mufc
manchester city | man city | mcfc
tottenham | spurs | tottenham hotspur | thfc
arsenal | gunners | afc
liverpool | lfc
chelsea | cfc
wolverhampton | wolves
nottingham forest | nottm forest | forest
newcastle | nufc | newcastle united
west ham | hammers
brighton | bhafc
barcelona | barça | barca | fcb | fc barcelona
real madrid | rma | madrid
atletico madrid | atleti | atlético
bayern munich | bayern | bayern münchen
borussia dortmund | bvb | dortmund
paris saint-germain | psg | paris sg
juventus | juve
inter milan | inter | internazionale
ac milan | milan
oklahoma city thunder | okc | thunder
golden state warriors | gsw | warriors | dubs
los angeles lakers | lakers | lal
la clippers | clippers | lac
philadelphia 76ers | sixers | 76ers
cleveland cavaliers | cavs | cavaliers
dallas mavericks | mavs | mavericks
minnesota timberwolves | timberwolves | wolves
new york knicks | knicks | nyk
boston celtics | celtics | cs
san antonio spurs | spurs | sas
milwaukee bucks | bucks
portland trail blazers | blazers | trailblazers
san francisco 49ers | niners | 49ers
new england patriots | patriots | pats
tampa bay buccaneers | buccaneers | bucs
kansas city chiefs | chiefs | kc
green bay packers | packers
new york yankees | yankees | yanks
los angeles dodgers | dodgers
montreal canadiens | habs | canadiens
toronto maple leafs | leafs | maple leafs
vegas golden knights | vgk | knights
tampa bay lightning | bolts
lebron james | lebron
victor wembanyama | wemby | wembanyama
giannis antetokounmpo | giannis
shai gilgeous-alexander | sga | shai
luka doncic | luka
nikola jokic | jokic | joker
stephen curry | steph curry
cristiano ronaldo | cr7 | ronaldo
lionel messi | messi
kylian mbappe | mbappe
grand theft auto | gta
gta vi | gta 6 | gta6 | grand theft auto 6 | grand theft auto vi
academy awards | oscars | oscar | premios oscar
golden globes | golden globe
taylor swift | swift
kanye west | kanye | ye
movie | movies | film | films | cine | película | أفلام
music | song | songs | música | موسيقى
game of the year | goty
rotten tomatoes | rt score
politics | política | سياسة
sports | sport | deportes | رياضة
world | geopolitics | mundo
economy | economía | اقتصاد
finance | finanzas | مال
culture | pop culture | cultura | ثقافة
tech | technology | tecnología | تقنية
science | ciencia | علوم
climate | weather | clima | مناخ
health | salud | صحة
war | wars | guerra | conflict
ceasefire | cease-fire | truce | peace deal
nato | otan
united nations | un
world health organization | who
nuclear | nuke | nukes
tariff | tariffs | duties
government shutdown | shutdown
covid | covid-19 | coronavirus
hurricane | cyclone | typhoon
spacex | space x
starship | space ship
extraterrestrial | aliens | ufo
christmas | xmas
january | jan
february | feb
march | mar
april | apr
june | jun
july | jul
august | aug
september | sep | sept
october | oct
november | nov
december | dec
`

/** Key of a phrase in the table. */
const phraseOf = (words: readonly string[]): string => words.join(' ')

const NAMES = TABLE.trim()
  .split('\n')
  .map((line) => line.split('|').map((name) => compoundsOf(name).flatMap(({ parts }) => parts)))

/** Words of the longest name. */
export const LONGEST_NAME = Math.max(...NAMES.flat().map((words) => words.length))

/** By each name the other names of the same thing, as words. */
const OTHERS = new Map<string, string[][]>()
for (const names of NAMES)
  for (const name of names) {
    const key = phraseOf(name)
    OTHERS.set(key, [...(OTHERS.get(key) ?? []), ...names.filter((other) => other !== name)])
  }

/** Other names of what some words name; none when they name nothing that the table has. */
export const otherNames = (words: readonly string[]): readonly string[][] => OTHERS.get(phraseOf(words)) ?? []

import { countriesIn } from './countries.ts'
import { leaderIn } from './leaders.ts'
import type { Spec } from './spec.ts'
import { hueOf, initialsOf, plain } from './words.ts'

const SPORTS: readonly (readonly [RegExp, string])[] = [
  [/\b(mvp|rookie|player of the (year|month)|ballon d or|golden boot|cy young|heisman|defensive player|sixth man|hall of fame)\b/, 'medal'],
  [/\b(nba|wnba|basketball|ncaa|march madness|euroleague)\b/, 'basketball'],
  [/\b(nfl|super bowl|touchdowns?|quarterback|college football|cfb)\b/, 'gridiron'],
  [/\b(nhl|stanley cup|ice hockey|hockey)\b/, 'hockey'],
  [/\b(mlb|world series|baseball|home runs?)\b/, 'baseball'],
  [/\b(cricket|ipl|t20|test match|ashes)\b/, 'cricket'],
  [/\b(wimbledon|tennis|atp|wta|roland garros|french open|us open|australian open)\b/, 'tennis'],
  [/\b(golf|pga|masters tournament|the masters|ryder cup|liv golf)\b/, 'golf'],
  [/\b(formula 1|formula one|f1|grand prix|nascar|motogp|indycar|le mans|drivers champion)\b/, 'racing'],
  [/\b(ufc|boxing|mma|knockout|heavyweight|fight night|wwe)\b/, 'boxing'],
  [/\b(olympics?|olympic games|paralympics?)\b/, 'rings'],
  [/\b(chess|fide|candidates tournament)\b/, 'chess'],
  [/\b(esports|league of legends|counter strike|cs2|dota|valorant|lck|worlds 20\d\d)\b/, 'esports'],
  [/\b(tour de france|giro d italia|vuelta|cycling)\b/, 'cycling'],
  [/\b(marathon|sprint|100m|athletics)\b/, 'running'],
  [/\b(swimming|freestyle)\b/, 'swimming'],
  [
    /\b(soccer|fifa|uefa|world cup|premier league|champions league|la liga|serie a|bundesliga|ligue 1|europa league|fa cup|copa|euro 20\d\d|mls|epl|football)\b/,
    'football',
  ],
]

const COINS: readonly (readonly [RegExp, string])[] = [
  [/\b(bitcoin|btc|satoshi|microstrategy)\b/, 'btc'],
  [/\b(ethereum|ether|eth)\b/, 'eth'],
  [/\b(solana|sol)\b/, 'sol'],
  [/\b(xrp|ripple)\b/, 'xrp'],
  [/\b(dogecoin|doge)\b/, 'doge'],
  [/\b(bnb|binance)\b/, 'bnb'],
  [/\b(cardano|ada)\b/, 'ada'],
  [/\b(hyperliquid|hype)\b/, 'hype'],
]

/** Things that titles speak of, the more special first. */
const THINGS: readonly (readonly [RegExp, string])[] = [
  [/\b(scotus|supreme court|court|judge|trial|convict(ed)?|guilty|lawsuit|indict(ed|ment)?|sentenced|verdict|extradit\w+)\b/, 'court'],
  [/\b(nominee|nomination|primary|running mate|debate|candidate)\b/, 'podium'],
  [
    /\b(senate|house|congress|midterms?|speaker|parliament|balance of power|shutdown|bill|cabinet|government|coalition|filibuster|majority)\b/,
    'parliament',
  ],
  [/\b(elections?|elected|vote|votes|ballot|referendum|presidential|mayor|governor|chancellor|prime minister|president)\b/, 'ballot'],
  [/\b(ipo|listing|go public)\b/, 'bell'],
  [/\b(fed|fomc|interest rates?|rate cuts?|rate hike|bps|ecb|boj|central bank)\b/, 'bank'],
  [/\b(tax|taxes|tariffs?|inflation|cpi)\b/, 'percent'],
  [/\b(gdp|recession|unemployment|jobs report|s&p|s&p 500|sp500|spx|nasdaq|dow jones|stocks?|market cap|earnings|revenue)\b/, 'chart'],
  [/\b(oil|crude|opec|brent|wti|natural gas|gas prices?)\b/, 'barrel'],
  [/\b(gold|silver|platinum)\b/, 'gold'],
  [/\b(dollar|euro|yen|currency|budget|debt|stimulus|salary|net worth|billionaire|trillionaire)\b/, 'cash'],
  [/\b(openai|gpt|chatgpt|ai|claude|anthropic|gemini|grok|deepseek|llama|llm|agi|artificial intelligence|model)\b/, 'ai'],
  [/\b(nvidia|chip|chips|semiconductor|intel|tsmc|quantum)\b/, 'cpu'],
  [/\b(spacex|starship|rocket|launch pad|falcon|blue origin)\b/, 'rocket'],
  [/\b(mars|moon|nasa|asteroid|aliens?|ufo|planet|space)\b/, 'planet'],
  [/\b(tesla|car|cars|robotaxi|waymo|ev|vehicle)\b/, 'car'],
  [/\b(iphone|apple|phone|hardware|android|samsung)\b/, 'phone'],
  [/\b(twitter|tweets?|tiktok|instagram|threads|post|posts|discord|telegram|whatsapp|x com)\b/, 'chat'],
  [/\b(nobel|physics|fusion|science|crispr|superconductor)\b/, 'atom'],
  [/\b(gta|grand theft auto|game|games|playstation|xbox|nintendo|steam|minecraft|fortnite)\b/, 'esports'],
  [/\b(album|song|grammy|grammys|spotify|billboard|tour|eurovision|concert|single|coachella)\b/, 'music'],
  [/\b(podcast|interview|rogan|speech|say during|mention)\b/, 'microphone'],
  [/\b(movie|film|box office|oscars?|academy award|cannes|best picture|trailer|rotten tomatoes)\b/, 'film'],
  [/\b(season|episode|netflix|tv|series|emmy|emmys|survivor|love island|youtube|mrbeast|stranger things)\b/, 'television'],
  [/\b(award|awards|prize|person of the year|champion|winner)\b/, 'trophy'],
  [/\b(book|novel|memoir|pulitzer)\b/, 'book'],
  [/\b(jesus|christ|pope|rapture|second coming)\b/, 'sunrise'],
  [/\b(wedding|married|marry|engaged|engagement|divorce|baby|pregnant|girlfriend|boyfriend|dating)\b/, 'heart'],
  [/\b(hurricane|storm|tornado|typhoon|cyclone)\b/, 'storm'],
  [/\b(flood|tsunami|sea level)\b/, 'wave'],
  [/\b(temperature|hottest|heat|global warming|climate|degrees)\b/, 'thermometer'],
  [/\b(weather|rain|snow|sunny)\b/, 'sun'],
  [/\b(covid|pandemic|flu|measles|vaccine|virus|fda|health|cancer|bird flu|h5n1)\b/, 'health'],
  [/\b(hack|hacked|breach|encryption|privacy|security)\b/, 'lock'],
  [/\b(airdrop|token launch)\b/, 'parachute'],
  [/\b(crypto|token|stablecoin|usdt|usdc|defi|coinbase|memecoin|nft)\b/, 'coins'],
  [/\b(company|ceo|merger|acquire|acquisition|bankrupt\w*|layoffs)\b/, 'company'],
]

const firstOf = (table: readonly (readonly [RegExp, string])[], said: string) => table.find(([pattern]) => pattern.test(said))?.[1]
const POLITICAL = new Set(['ballot', 'parliament', 'podium', 'court', 'bank', 'percent'])
const emblem = (name: string, flag?: string): Spec => ({ kind: 'emblem', name, ...(flag === undefined ? {} : { flag }) })

/** Returns the picture of the party that a text names alone; null where it names none, or more. */
export function partyIn(text: string): Spec | null {
  const said = plain(text)
  const chambers = [...said.matchAll(/\b([dr]) (?:senate|house)\b/g)].map(([, party]) => party!)
  if (chambers.length === 2) return { kind: 'parties', first: chambers[0]!, second: chambers[1]! }
  const [isBlue, isRed] = [/\bdemocrat(s|ic)?\b/.test(said), /\brepublicans?\b|\bgop\b/.test(said)]
  if (isBlue === isRed) return null
  const party = isBlue ? 'd' : 'r'
  return { kind: 'parties', first: party, second: party }
}

/** Returns the picture of what a text is about; null where no rule finds anything. `isCrypto` lets an unknown first name be that of a token. */
export function topicOf(text: string, isCrypto = false): Spec | null {
  const said = plain(text)
  const sport = firstOf(SPORTS, said)
  if (sport) return emblem(sport)
  const coin = firstOf(COINS, said)
  if (coin) return { kind: 'coin', name: coin }
  const countries = countriesIn(text)
  const between = relation(said, countries)
  if (between) return between
  if (isCrypto) return tokenOf(text) ?? emblem(firstOf(THINGS, said) ?? 'coins')
  const leader = leaderIn(text)
  if (leader) return leader
  const thing = firstOf(THINGS, said)
  if (thing) return emblem(thing, POLITICAL.has(thing) ? countries[0] : undefined)
  return countries[0] === undefined ? null : { kind: 'flags', codes: countries.slice(0, 2) }
}

/** What happens between countries, or to one. */
function relation(said: string, countries: readonly string[]): Spec | null {
  if (/\bnato\b/.test(said))
    return emblem(
      'compass',
      countries.find((code) => code !== 'eu'),
    )
  if (/\b(capture|captures|take control|enter)\b/.test(said) && countries.length > 0) return emblem('pin', countries.at(-1))
  const isConflict = /\b(clash|war|invades?|invasion|strikes?|attacks?|military|nuclear|troops|missiles?|blockade)\b/.test(said)
  const isPeace = /\b(normali[sz]e|recogni[sz]es?|peace|ceasefire|treaty|deal|truce|agreement|summit|sovereignty)\b/.test(said)
  if (!isConflict && !isPeace) return null
  if (countries.length >= 2) return { kind: 'flags', codes: countries.slice(0, 2) }
  return emblem(isConflict ? 'clash' : /\b(peace|ceasefire|truce)\b/.test(said) ? 'peace' : 'handshake', countries[0])
}

const NO_TOKEN = /^(will|what|when|which|who|how|is|does|the|a|new|crypto|kraken|coinbase|binance|trump|usdt|usdc)$/i
/** The coin of an unknown token: the first word of its market. */
function tokenOf(text: string): Spec | null {
  const first = /^[\p{Lu}\d][\p{L}\d]{2,}/u.exec(text.trim())?.[0]
  if (first === undefined || NO_TOKEN.test(first) || !/\b(airdrop|fdv|market cap|price|token|launch|hit|above|reach)\b/i.test(text))
    return null
  const capitals = /^\p{Lu}{3,5}$/u.test(first) ? first : [...first].slice(0, 4).join('')
  return { kind: 'token', letters: initialsOf(capitals, 4) || 'T', hue: hueOf(first.toLowerCase()) }
}

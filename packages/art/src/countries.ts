import { plain } from './words.ts'

/** Names of countries by the code of their flag: names, then after `;` other words that point to it in a title. */
const TABLE = `
ad andorra|ae united arab emirates|uae|emirates;emirati;dubai;abu dhabi|af afghanistan;afghan;taliban;kabul|al albania;albanian
am armenia;armenian|ao angola|ar argentina;argentine;milei;buenos aires|at austria;austrian;vienna
au australia;australian;sydney;melbourne|az azerbaijan;azerbaijani;baku|ba bosnia|bosnia herzegovina|bosnia and herzegovina;bosnian
bd bangladesh;bangladeshi;dhaka|be belgium;belgian;brussels|bg bulgaria;bulgarian|bo bolivia;bolivian|br brazil|brasil;brazilian;lula;bolsonaro
by belarus;belarusian;lukashenko;minsk|ca canada;canadian;carney;trudeau;alberta;quebec;ontario
cd congo dr|dr congo|democratic republic of the congo|congo;congolese|ch switzerland;swiss;geneva;zurich|ci ivory coast|cote d ivoire
cl chile;chilean|cm cameroon;cameroonian|cn china|prc;chinese;beijing;ccp;hong kong
co colombia;colombian;bogota;petro|cr costa rica|cu cuba;cuban;havana|cv cape verde|cabo verde|cw curacao|cy cyprus;cypriot
cz czechia|czech republic|cezchia;czech;prague|de germany|deutschland;german;berlin;merz;afd;bundestag;bundesbank
dk denmark;danish;greenland|do dominican republic|dz algeria;algerian|ec ecuador;ecuadorian|ee estonia;estonian
eg egypt;egyptian;cairo|en england;english|es spain|espana;spanish;madrid;catalonia;sanchez|et ethiopia;ethiopian
eu european union|eu|europe;european;ecb;eurozone|fi finland;finnish|fr france;french;paris;le pen
gb united kingdom|uk|great britain|britain;british;london;labour;tories;farage;westminster
gh ghana|gr greece;greek;athens|gt guatemala|hk hong kong|hn honduras;honduran|hr croatia;croatian|ht haiti;haitian
hu hungary;hungarian;orban|id indonesia;indonesian;jakarta|ie ireland;irish;dublin|il israel;israeli;idf;netanyahu;tel aviv;knesset
in india;indian;modi;delhi|iq iraq;iraqi;baghdad|ir iran;iranian;tehran;khamenei|is iceland;icelandic|it italy|italia;italian;meloni;rome
jm jamaica;jamaican|jo jordan|jp japan;japanese;tokyo;boj;takaichi|ke kenya;kenyan|kp north korea;pyongyang;kim jong un
kr south korea|korea republic|korea;korean;seoul|kw kuwait|kz kazakhstan|lb lebanon;lebanese;hezbollah;beirut|lt lithuania;lithuanian
lu luxembourg|lv latvia;latvian|ly libya;libyan|ma morocco;moroccan|mc monaco|md moldova;moldovan|ml mali|mm myanmar;burma|mt malta
mx mexico;mexican;sheinbaum|my malaysia;malaysian|ng nigeria;nigerian|nl netherlands|holland;dutch;amsterdam;wilders|no norway;norwegian;oslo
nz new zealand|om oman|pa panama|pe peru;peruvian;lima|ph philippines;filipino;philippine;duterte;marcos;manila
pk pakistan;pakistani;imran khan|pl poland;polish;warsaw|ps palestine;palestinian;gaza;hamas;west bank|pt portugal;portuguese;lisbon|py paraguay
qa qatar;qatari;doha|ro romania;romanian;bucharest|rs serbia;serbian;vucic;belgrade
ru russia;russian;kremlin;moscow|sa saudi arabia|saudi;riyadh|sc scotland;scottish;snp;holyrood|sd sudan;sudanese|se sweden;swedish;stockholm
sg singapore|si slovenia;slovenian|sk slovakia;slovak;fico|sn senegal|so somalia;somali|sv el salvador;bukele
sy syria;syrian;damascus|th thailand;thai;bangkok|tn tunisia;tunisian|tr turkey|turkiye;turkish;erdogan;ankara;istanbul
tw taiwan;taiwanese;taipei|ua ukraine;ukrainian;kyiv;kiev;donbas;crimea;kherson;kharkiv;sumy;pokrovsk;kostyantynivka;zaporizhzhia;odesa
ug uganda|us united states|usa|united states of america|america;american;white house;texas;california;florida;georgia senate;ohio;new york;senate;us presidential;the house;congress;scotus;gop;republican;republicans;democratic;democrats;democrat;midterm;midterms;pentagon;federal reserve;fed;supreme court;nasa;puerto rico
uy uruguay;uruguayan|uz uzbekistan|va vatican;pope;conclave|ve venezuela;venezuelan;maduro;caracas|vn vietnam;vietnamese;hanoi|wa wales;welsh
xk kosovo|xs somaliland|ye yemen;yemeni;houthi;houthis|za south africa;south african|zm zambia|zw zimbabwe|un united nations;un security council
`

const names = new Map<string, string>()
const words: { word: string; code: string }[] = []
/** Names that mean something else in most titles: they count only where they are all of a name. */
const OTHERWISE = new Set(['jordan', 'mali', 'monaco', 'america', 'oman', 'malta', 'chad'])

let code = ''
for (const entry of TABLE.trim().split(/[|\n]/)) {
  const found = /^([a-z]{2}) (.+)$/.exec(entry)
  const isCode = found !== null && !(found[1] === 'le' || found[1] === 'el' || entry === 'dr congo')
  if (isCode) code = found[1]!
  const [name, ...pointers] = (isCode ? found[2]! : entry).split(';')
  names.set(name!, code)
  for (const word of OTHERWISE.has(name!) ? pointers : [name!, ...pointers]) words.push({ word, code })
}

/** Returns the code of the country that a name is; null for any other. */
export const countryNamed = (name: string): string | null => names.get(plain(name)) ?? null

const US = /\bU\.?S\.?(A\.?)?(?![\p{L}\p{N}])/u

/** Returns the codes of the countries that a text mentions, in the order of the text, each once. */
export function countriesIn(text: string): string[] {
  const said = ` ${plain(text)} `
  const found = words.flatMap(({ word, code }) => {
    const at = said.indexOf(` ${word} `)
    return at < 0 ? [] : [{ at, code, length: word.length }]
  })
  const us = US.exec(text)
  if (us) found.push({ at: us.index, code: 'us', length: 2 })
  const wide = found.filter(
    (one) => !found.some((other) => other !== one && other.at <= one.at && other.at + other.length > one.at && other.length > one.length),
  )
  return [...new Set(wide.sort((a, b) => a.at - b.at).map(({ code }) => code))]
}

import type { Spec } from './spec.ts'
import { hueOf, initialsOf, plain } from './words.ts'

/** People whom titles name by their last name, by the country of their office. */
const TABLE = `
us Donald Trump|JD Vance|Joe Biden|Kamala Harris|Marco Rubio|Pete Hegseth|Mike Johnson|Jerome Powell|Pam Bondi|Kash Patel|Tulsi Gabbard|Gavin Newsom|Zohran Mamdani|Bernie Sanders|Barack Obama|John Thune|Chuck Schumer|Scott Bessent|Howard Lutnick|Kristi Noem|Kevin Hassett|Kevin Warsh|Ron DeSantis|Hillary Clinton|Robert Kennedy|Luigi Mangione
ru Vladimir Putin|Sergey Lavrov|Dmitry Medvedev
ua Volodymyr Zelenskyy|Volodymyr Zelensky
cn Xi Jinping
gb Keir Starmer|Nigel Farage|Rishi Sunak|Kemi Badenoch|Rachel Reeves|Andy Burnham|Wes Streeting
fr Emmanuel Macron|Marine Le Pen|Jordan Bardella|Francois Bayrou|Sebastien Lecornu
de Friedrich Merz|Olaf Scholz|Alice Weidel
il Benjamin Netanyahu|Yair Lapid|Naftali Bennett
ir Ali Khamenei
tr Recep Erdogan|Ekrem Imamoglu
in Narendra Modi
it Giorgia Meloni
hu Viktor Orban|Peter Magyar
ca Mark Carney|Pierre Poilievre|Justin Trudeau
br Jair Bolsonaro
ar Javier Milei
ve Nicolas Maduro|Maria Corina Machado
sa Mohammed bin Salman
jp Sanae Takaichi|Shigeru Ishiba
es Pedro Sanchez
kp Kim Jong Un
by Alexander Lukashenko
sy Ahmed al-Sharaa
rs Aleksandar Vucic
co Gustavo Petro
ph Rodrigo Duterte
`

const leaders = TABLE.trim()
  .split('\n')
  .flatMap((line) =>
    line
      .slice(3)
      .split('|')
      .map((name) => ({ name, full: plain(name), last: plain(name).split(' ').at(-1)!, flag: line.slice(0, 2) })),
  )
/** Last names that are also words or many people's: these count only with the first name. */
const COMMON = new Set([
  'johnson',
  'harris',
  'powell',
  'khan',
  'clinton',
  'kennedy',
  'sanders',
  'obama',
  'un',
  'jinping',
  'salman',
  'pen',
  'lula',
  'magyar',
  'bennett',
  'patel',
  'sanchez',
  'reeves',
  'carney',
  'petro',
])
const OWN = new Map([
  ['kim jong un', 'KJ'],
  ['xi jinping', 'XJ'],
])

/** Returns the picture of the first leader whom a text names; null where it names none. */
export function leaderIn(text: string): Spec | null {
  const said = ` ${plain(text)} `
  const found = leaders
    .map((leader) => ({
      leader,
      at:
        [` ${leader.full} `, ...(COMMON.has(leader.last) ? [] : [` ${leader.last} `])]
          .map((name) => said.indexOf(name))
          .find((at) => at >= 0) ?? -1,
    }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)[0]?.leader
  return found ? { kind: 'person', letters: OWN.get(found.full) ?? initialsOf(found.name), hue: hueOf(found.full), flag: found.flag } : null
}

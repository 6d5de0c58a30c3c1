import { lockName } from '@augury/domain/platform/tables'
import { Tag, TagParent } from '@augury/domain/platform/tag.entity'
import type { EntityManager } from '@mikro-orm/postgresql'
import { invalidate } from '../cache/generations.ts'
import type { Platform } from '../site/platform.ts'
import { keepTranslation } from '../translations/translations.ts'

/** Names of a category in the site's languages besides English. */
type Names = readonly [es: string, ar: string]

/** Usual categories by English name, so that a new site has them in all its languages. */
const NAMES: ReadonlyMap<string, Names> = new Map<string, Names>([
  ['Politics', ['Política', 'سياسة']],
  ['World', ['Mundo', 'العالم']],
  ['Geopolitics', ['Geopolítica', 'جغرافيا سياسية']],
  ['Elections', ['Elecciones', 'انتخابات']],
  ['Ukraine', ['Ucrania', 'أوكرانيا']],
  ['Middle East', ['Oriente Medio', 'الشرق الأوسط']],
  ['Sports', ['Deportes', 'رياضة']],
  ['Soccer', ['Fútbol', 'كرة القدم']],
  ['Football', ['Fútbol americano', 'كرة القدم الأمريكية']],
  ['Basketball', ['Baloncesto', 'كرة السلة']],
  ['Baseball', ['Béisbol', 'بيسبول']],
  ['Hockey', ['Hockey', 'هوكي']],
  ['Tennis', ['Tenis', 'تنس']],
  ['Golf', ['Golf', 'غولف']],
  ['Esports', ['Deportes electrónicos', 'رياضات إلكترونية']],
  ['Crypto', ['Criptomonedas', 'عملات رقمية']],
  ['Culture', ['Cultura', 'ثقافة']],
  ['Movies', ['Cine', 'أفلام']],
  ['Music', ['Música', 'موسيقى']],
  ['Awards', ['Premios', 'جوائز']],
  ['Tech', ['Tecnología', 'تقنية']],
  ['Science', ['Ciencia', 'علوم']],
  ['Climate', ['Clima', 'مناخ']],
  ['Health', ['Salud', 'صحة']],
  ['Economy', ['Economía', 'اقتصاد']],
  ['Finance', ['Finanzas', 'مال']],
  ['Business', ['Negocios', 'أعمال']],
])

/** The main categories that a new site has, each with its sub-categories. Slugs are the names in lower case. */
const TREE: Readonly<Record<string, readonly string[]>> = {
  Politics: ['Elections'],
  World: ['Geopolitics', 'Ukraine', 'Middle East'],
  Sports: ['Soccer', 'Football', 'Basketball', 'Baseball', 'Hockey', 'Tennis', 'Golf', 'Esports'],
  Crypto: [],
  Culture: ['Movies', 'Music', 'Awards'],
  Tech: [],
  Science: ['Climate', 'Health'],
  Economy: ['Finance', 'Business'],
}

/** Stores the usual name of a tag in the other languages of the site; does nothing for any other name. */
export async function translateTag(em: EntityManager, { id, name, createdAt }: Tag): Promise<void> {
  const [es, ar] = NAMES.get(name) ?? []
  if (es === undefined || ar === undefined) return
  for (const [locale, text] of [
    ['es', es],
    ['ar', ar],
  ] as const)
    await keepTranslation(em, { kind: 'tag', id }, { locale, text, byPerson: true }, createdAt)
}

/** Gives a site without main categories the usual ones. Once there is one, or an admin arranged any category, it changes nothing. */
export function seedCategories(platform: Platform): Promise<void> {
  return platform.em().transactional(async (em) => {
    await lockName(em, 'augury categories')
    if ((await em.count(Tag, { $or: [{ isMainCategory: true }, { arrangedAt: { $ne: null } }] })) > 0) return
    for (const [index, [name, children]] of Object.entries(TREE).entries()) {
      const parent = await usualTag(em, name)
      em.assign(parent, { isMainCategory: true, displayOrder: index })
      for (const child of children) em.create(TagParent, { child: await usualTag(em, child), parent })
      await em.flush()
    }
    await invalidate(em, ['lists'])
  })
}

async function usualTag(em: EntityManager, name: string): Promise<Tag> {
  const slug = name.toLowerCase().replaceAll(' ', '-')
  const known = await em.findOne(Tag, { slug })
  if (known) return known
  const tag = em.create(Tag, { slug, name })
  await em.flush()
  await translateTag(em, tag)
  return tag
}

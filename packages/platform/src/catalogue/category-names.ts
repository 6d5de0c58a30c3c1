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

/** Translations of a usual category name; none for any other. */
export function otherNames(name: string): { locale: string; text: string }[] {
  const [es, ar] = NAMES.get(name) ?? []
  return es === undefined || ar === undefined
    ? []
    : [
        { locale: 'es', text: es },
        { locale: 'ar', text: ar },
      ]
}

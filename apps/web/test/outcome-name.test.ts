import { expect, test } from 'vitest'
import { outcomeName } from '../src/lib/language/outcome-name.ts'
import { withLocale } from '../src/lib/server/page-locale.ts'

test.each([
  ['en', ['Yes', 'No', 'Up', 'Down', 'Over', 'Under', 'Draw', 'Arsenal']],
  ['es', ['Sí', 'No', 'Sube', 'Baja', 'Más', 'Menos', 'Empate', 'Arsenal']],
  ['ar', ['نعم', 'لا', 'صعود', 'هبوط', 'أكثر', 'أقل', 'تعادل', 'Arsenal']],
] as const)('the usual outcomes have names in %s, and a custom name stays as it is', (locale, names) => {
  const written = ['Yes', 'no', 'Up', 'DOWN', 'Over', 'Under', 'Draw', 'Arsenal']
  expect(withLocale(locale, () => written.map(outcomeName))).toEqual(names)
})

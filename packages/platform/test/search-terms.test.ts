import { fold, termsOf } from '@augury/search/terms'
import { fc } from '@augury/testing/properties'
import { expect, test } from 'vitest'
import { testPlatform } from './test-platform.ts'

const { platform } = await testPlatform()

/** What the database makes of texts. */
const inDatabase = (texts: readonly string[]): Promise<{ folded: string; terms: string[] }[]> =>
  platform.em().execute(
    `select search_fold(text) as folded, array(select search_terms(text)) as terms
     from jsonb_array_elements_text(?::jsonb) with ordinality texts (text, nth) order by nth`,
    [JSON.stringify(texts)],
  )

const LETTERS = [...`aZéŁøßİıςσΣæœþĐ’'‘´\`-–./,&_·:!?% 09٣۴५½²ﬁ特朗普の選がばーเลือกั้งالوَِمغربآأىةגם"#한국नमस्तेЙёЯ`]
const texts = fc.array(fc.string({ unit: fc.oneof(fc.constantFrom(...LETTERS), fc.constantFrom(...'abc -')), maxLength: 40 }), {
  minLength: 1,
  maxLength: 40,
})

test('the database and the program take texts apart alike', async () => {
  await fc.assert(
    fc.asyncProperty(texts, async (all) => {
      const rows = await inDatabase(all)
      for (const [nth, text] of all.entries()) {
        expect([text, rows[nth]!.folded]).toEqual([text, fold(text)])
        expect([text, rows[nth]!.terms.sort()]).toEqual([text, [...termsOf(text)].sort()])
      }
    }),
    { numRuns: 60 },
  )
})

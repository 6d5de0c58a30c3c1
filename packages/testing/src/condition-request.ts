/** A valid body of `POST /operator/conditions`; tests change the fields they are about. */
export const conditionRequest = (slug: string) => ({
  question_slug: slug,
  outcomes: ['Yes', 'No'] as [string, string],
  tick_size: '0.01' as const,
  min_size: '5',
  fee_rate_bps: 0,
  end_time: '2099-01-01T00:00:00Z',
  metadata: {
    question: `Will there be ${slug}?`,
    short_title: slug,
    description: '',
    rules: 'It resolves by the rules.',
    resolution_source: '',
    resolution_source_url: '',
    icon: '',
    event: {
      slug: `${slug}-event`,
      title: 'An event',
      icon: '',
      tags: [{ slug: 'news', name: 'News' }],
      rules: '',
      start_date: null,
      end_date: null,
    },
  },
})

import fc from 'fast-check'

// The same cases in every run: a change is judged by what it changes, not by what chance shows it. What a random look finds becomes an
// `examples` of its property or a line of a table.
fc.configureGlobal({ seed: 20_260_101 })

export { fc }

/** Picture of the not-found page: a chart line that breaks off. Its styles are in `failure.css`. */
export const BROKEN_WAY =
  '<svg class="way" viewBox="0 0 320 112" aria-hidden="true"><path class="floor" d="M4 12H316M4 56H316M4 100H316"/><path class="known" d="M8 84H44V68H78V76H108V44H140V52H164V30H188"/><circle class="end" cx="188" cy="30" r="6"/><path class="unknown" d="M204 30H232V62H262V88H312"/></svg>'

import { html, raw } from '../../../../lib/review/report/page/html';

test('texts are escaped, HTML is not, and nothing leaves no trace', () => {
  expect(
    html`<b title="${`"'\`&`}">${'<script>'}${html`<i>${1}</i>`}${[raw('<u>'), 'x']}${undefined}${false}</b>`.text,
  ).toBe('<b title="&quot;&#39;&#96;&amp;">&lt;script&gt;<i>1</i><u>x</b>');
});

test('characters that turn the direction of a text are written as their codes', () => {
  expect(html`${'a\u202eb\u0000\n'}`.text).toBe('a\\u202eb\\u0000\n');
});

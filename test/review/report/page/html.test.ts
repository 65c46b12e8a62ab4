import { html, raw } from '#lib/review/report/page/html';

test('texts are escaped, HTML is not, and nothing leaves no trace', () => {
  expect(
    html`<b title="${`"'\`&`}">${'<script>'}${html`<i>${1}</i>`}${[raw('<u>'), 'x']}${undefined}${false}</b>`.text,
  ).toBe('<b title="&quot;&#39;&#96;&amp;">&lt;script&gt;<i>1</i><u>x</b>');
});

test('texts in a list are escaped, and those in a list of lists', () => {
  expect(html`${['<i>', ['"', undefined, html`<b>${['&']}</b>`]]}`.text).toBe('&lt;i&gt;&quot;<b>&amp;</b>');
});

test('characters that turn the direction of a text are written as their codes', () => {
  expect(html`${'a\u202eb\u0000'}`.text).toBe('a\\u202eb\\u0000');
});

test('no text begins a line, or has a command of a CI system, where the page is in a log', () => {
  expect(html`<b>${'a\n::error::b ##[c]d ##vso[e] # ##'}</b>`.text).toBe(
    '<b>a&#10;::error::b &#35;#[c]d &#35;#vso[e] # ##</b>',
  );
});

import { html, raw } from '#lib/review/report/page/html';

test('a page escapes texts, keeps HTML, and omits absent values', () => {
  expect(
    html`<b title="${`"'\`&`}">${'<script>'}${html`<i>${1}</i>`}${[raw('<u>'), 'x']}${undefined}${false}</b>`.text,
  ).toBe('<b title="&quot;&#39;&#96;&amp;">&lt;script&gt;<i>1</i><u>x</b>');
});

test('a page escapes texts in nested lists', () => {
  expect(html`${['<i>', ['"', undefined, html`<b>${['&']}</b>`]]}`.text).toBe('&lt;i&gt;&quot;<b>&amp;</b>');
});

test('a page prints characters that change the direction of text as codes', () => {
  expect(html`${'a\u202eb\u0000'}`.text).toBe('a\\u202eb\\u0000');
});

test('texts in a page contain no commands of a CI system', () => {
  expect(html`<b>${'a\n::error::b ##[c]d ##vso[e] # ##'}</b>`.text).toBe(
    '<b>a&#10;::error::b &#35;#[c]d &#35;#vso[e] # ##</b>',
  );
});

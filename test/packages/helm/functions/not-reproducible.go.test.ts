import { notReproducible } from '#helm/functions/not-reproducible';
import { render } from './render';

describe('the renderer refuses functions that are not reproducible:', () => {
  test.each([...notReproducible.keys()])('%s, with an alternative', (name) => {
    expect(render(`{{ ${name} }}`)).toEqual({ error: expect.stringMatching(new RegExp(`${name} .+: .+`)) });
  });

  test('date of a value that is not a date, for which sprig uses the present time', () => {
    expect(render('{{ date "2006" "x" }}')).toEqual({ error: expect.stringContaining('the present time') });
    expect(render('{{ htmlDate nil }}')).toEqual({ error: expect.stringContaining('the present time') });
  });

  test('but no function that a template does not call', () => {
    expect(render('{{ if false }}{{ uuidv4 }}{{ end }}ok')).toEqual({ text: 'ok' });
  });

  test.each(['$ca.Cert', '$ca.Key', '$ca.Cert | b64enc', '$ca', 'printf "%v" $ca', 'quote $ca'])(
    'a generated certificate where a template uses it: %s',
    (use) => {
      const issued = '{{ $ca := genCA "x" 1 }}{{ $cert := genSignedCert "x" nil nil 1 $ca }}';
      expect(render(`${issued}ok`)).toEqual({ text: 'ok' });
      expect(render(`${issued}{{ ${use} }}`)).toEqual({
        error: expect.stringContaining('genCA creates a private key'),
      });
    },
  );
});

import { notReproducible } from '#helm/functions/not-reproducible';
import { render } from './render';

describe('functions that return something else at each run', () => {
  test.each([...notReproducible.keys()])('%s is refused, with what to do instead', (name) => {
    expect(render(`{{ ${name} }}`)).toEqual({ error: expect.stringMatching(new RegExp(`${name} .+: .+`)) });
  });

  test('a value that is no date is refused by date, for which sprig takes the time of the run', () => {
    expect(render('{{ date "2006" "x" }}')).toEqual({ error: expect.stringContaining('the time of the run') });
    expect(render('{{ htmlDate nil }}')).toEqual({ error: expect.stringContaining('the time of the run') });
  });

  test('nothing is refused that is not called', () => {
    expect(render('{{ if false }}{{ uuidv4 }}{{ end }}ok')).toEqual({ text: 'ok' });
  });

  test.each(['$ca.Cert', '$ca.Key', '$ca.Cert | b64enc', '$ca', 'printf "%v" $ca', 'quote $ca'])(
    'a certificate that is issued is refused where it is used: %s',
    (use) => {
      const issued = '{{ $ca := genCA "x" 1 }}{{ $cert := genSignedCert "x" nil nil 1 $ca }}';
      expect(render(`${issued}ok`)).toEqual({ text: 'ok' });
      expect(render(`${issued}{{ ${use} }}`)).toEqual({
        error: expect.stringContaining('genCA creates a private key'),
      });
    },
  );
});

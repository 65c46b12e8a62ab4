import fc from 'fast-check';
import { checkCron } from '#kubernetes/cron';
import { askOracle } from '../../support/oracle';

test('checkCron accepts and refuses the schedules that Kubernetes does', () => {
  const atom = fc.oneof(
    fc.nat({ max: 70 }).map(String),
    fc.constantFrom(
      ...['*', '?', 'jan', 'DEC', 'Sun', 'sat', 'sunday', ''],
      ...['+5', '007', '-1', '1.5', '0x1', '9223372036854775808'],
    ),
  );
  const range = fc.oneof(
    { weight: 3, arbitrary: atom },
    { weight: 3, arbitrary: fc.array(atom, { minLength: 2, maxLength: 3 }).map((bounds) => bounds.join('-')) },
  );
  const step = fc.constantFrom(
    ...['', '', '', '/1', '/5', '/0', '/', '/x', '/*', '/-1', '/+2'],
    ...['/9223372036854775807', '/9223372036854775808', '/1/2'],
  );
  const stepped = fc.tuple(range, step).map((parts) => parts.join(''));
  const field = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('*', '0', '1', '*/2', '1-5', '1,2') },
    { weight: 3, arbitrary: stepped },
    { weight: 1, arbitrary: fc.array(stepped, { maxLength: 3 }).map((list) => list.join(',')) },
  );
  const space = fc.constantFrom(
    ...[' ', ' ', ' ', '  ', '\t', '\n', '\u0085', '\u00a0', '\u2003', '\u3000', '\ufeff', '\u200b'],
  );
  const fields = fc
    .array(fc.tuple(field, space), { minLength: 5, maxLength: 5 })
    .map((pairs) => pairs.flat().slice(0, -1).join(''));
  const descriptor = fc.constantFrom(
    ...['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'],
    ...['@Daily', '@daily ', '@', '@reboot', '@every 1h', '@every -1h', '@every 0', '@every', '@every '],
    ...['@every  1h', '@every 1.5h', '@every 1d', '@every 24', 'TZ=0', 'TZ=UTC * * * * *', 'CRON_TZ=UTC @daily'],
    ...['', ' ', ', , , , ,', '* * * * * *', '* * * *', '* * * * *\n'],
  );
  const expression = fc.oneof({ weight: 9, arbitrary: fields }, { weight: 1, arbitrary: descriptor });
  const texts = fc.sample(expression, { numRuns: 20_000, seed: 1 });

  const accepted = askOracle('cron', texts).map(({ error }) => error === undefined);
  const differences = texts.filter((text, index) => (checkCron('schedule', text).length === 0) !== accepted[index]);

  expect(differences).toEqual([]);
  expect(accepted.filter((isAccepted) => isAccepted).length).toBeGreaterThan(2_000);
});

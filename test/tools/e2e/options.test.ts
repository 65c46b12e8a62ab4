import { parseOptions, USAGE } from '../../../tools/e2e/options';
import { checkSteps, STEPS, stepsInOrder } from '../../../tools/e2e/walk';

const optionsOf = (...args: string[]) => {
  const parsed = parseOptions(['--context', 'kind', ...args]);
  if (!('options' in parsed)) throw new Error(JSON.stringify(parsed));
  return parsed.options;
};

describe('the options of an end-to-end run', () => {
  test('need a context: no cluster is the default', () => {
    expect(parseOptions([])).toEqual({ misuse: expect.stringContaining('--context') });
  });

  test('have defaults for all others', () => {
    expect(optionsOf()).toEqual({
      context: 'kind',
      kubectl: 'kubectl',
      charts: 'charts',
      existingCertManager: false,
      rate: 20,
      propagationSeconds: 120,
      steps: STEPS.filter((step) => step !== 'takeover'),
      keep: false,
      timeoutMs: 1_800_000,
      format: 'text',
    });
  });

  test('take one registry, or one for each host', () => {
    expect(optionsOf('--images', 'registry.example.com/m').images).toBe('registry.example.com/m');
    const pairs = ['--images', 'quay.io=r.example.com/q', '--images', 'cr.l5d.io=r.example.com/l'];
    expect(optionsOf(...pairs).images).toEqual({ 'quay.io': 'r.example.com/q', 'cr.l5d.io': 'r.example.com/l' });
  });

  test.each([
    ['--images=one', '--images=two'],
    ['--images=quay.io='],
    ['--rate=0'],
    ['--rate=many'],
    ['--timeout=1'],
    ['--propagation=25h'],
    ['--format=yaml'],
    ['--release=edge-1.2.3'],
    ['--steps=dance'],
    ['--steps='],
    ['--unknown'],
    ['argument'],
  ])('refuse %s %s', (...args) => {
    expect(parseOptions(['--context', 'kind', ...args])).toEqual({ misuse: expect.any(String) });
  });

  test('are all in the help', () => {
    expect(parseOptions(['--help'])).toEqual({ help: true });
    for (const step of STEPS) expect(USAGE).toContain(step);
  });
});

describe('a choice of steps', () => {
  test('runs in the order of the walk', () => {
    expect(stepsInOrder(['removal', 'traffic', 'install'])).toEqual(['install', 'traffic', 'removal']);
  });

  test.each([
    [['install'], true],
    [['removal'], true],
    [['install', 'removal'], true],
    [['install', 'traffic', 'policy'], true],
    [['rotation'], false],
    [['install', 'rotation'], false],
    [['takeover', 'install'], true],
    [['takeover'], false],
    [['traffic'], false],
  ])('%j: %s', (chosen, isPossible) => {
    expect(checkSteps(chosen) === undefined).toBe(isPossible);
  });
});

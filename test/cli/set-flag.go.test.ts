import type { Values } from '#base/values';
import { assign, parseJsonFlag, parseSetFlag } from '#lib/cli/set-flag';
import { typedText } from '#lib/cli/values-layers';
import { ValuesChart } from './helm-values';

let chart: ValuesChart;
beforeAll(() => {
  chart = new ValuesChart();
});
afterAll(() => chart.remove());

function typed(...flags: readonly string[]): Values | undefined {
  try {
    return flags.flatMap((flag) => parseSetFlag(flag, typedText)).reduce(assign, {} as Values);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function json(flag: string): Values {
  return parseJsonFlag(flag).reduce(assign, {} as Values);
}

describe('--set results in the same values as in Helm for', () => {
  test.each([
    ['a=1'],
    ['a=1,b=x,c.d.e=true'],
    ['a='],
    ['a=,b=1'],
    ['a=1,'],
    ['a=b=c'],
    ['a\\.b=1'],
    ['nodeSelector.kubernetes\\.io/os=linux'],
    ['a=b\\,c,d=\\{e'],
    ['a=x\\'],
    ['a\\=b=c'],
    ['a={1,b,true}'],
    ['a={}'],
    ['a={,}'],
    ['a={x\\,y,z\\}},b=1'],
    ['a[0]=1,a[2]=x'],
    ['a[0].b=1,a[0].c=2,a[1].b=3'],
    ['a[1][0]=x,a[1][1].y=z'],
    ['a[0]={1,2}'],
    ['a[0]=1,a[0].b=2'],
    ['a[+1]=x'],
    ['a=0,b=00,c=07,d=-1,e=+5,f=-0,g=1.5,h=1e3,i=0x1,j=1_0'],
    ['a=TRUE,b=False,c=yes,d=truely'],
    ['a=9007199254740991,b=-9007199254740991,c=99999999999999999999'],
    ['a=é,b=😀,c="x",d= x ,e=#'],
    ['a]=1,b}=2'],
    ['a.b=1,a=2'],
    ['a.b=1', 'a.c=2', 'a.b=3'],
    ['a={1,2}', 'a[0]=x'],
  ])('%s', (...flags) => {
    expect(typed(...flags)).toEqual(chart.values(flags.flatMap((flag) => ['--set', flag])));
    expect(typed(...flags)).toBeDefined();
  });
});

describe('--set', () => {
  test.each([
    ['a'],
    ['a,b=1'],
    ['a=1,b'],
    ['a.b'],
    ['a={1'],
    ['a[x]=1'],
    ['a[-1]=1'],
    ['a[65537]=1'],
    ['a[0=1'],
    ['a[0]b=1'],
    ['a=1,a.b=2'],
    ['a=1,a[0]=2'],
    ['a[0]=1,a[0][0]=2'],
    [`${'a.'.repeat(31)}a=1`],
  ])('refuses %s, as Helm does', (flag) => {
    expect(typed(flag)).toBeUndefined();
    expect(chart.values(['--set', flag])).toBeUndefined();
  });

  test('accepts the deepest nesting that Helm accepts', () => {
    const flag = `${'a.'.repeat(30)}a=1`;
    expect(typed(flag)).toEqual(chart.values(['--set', flag]));
  });
});

test.each(['=1', '.a=1', 'a.', 'a[0]', 'a={1}b=2'])('--set refuses %s, since Helm ignores a part of it', (flag) => {
  expect(typed(flag)).toBeUndefined();
  expect(chart.values(['--set', flag])).toBeDefined();
});

test('--set keeps as text whole numbers that JSON readers would round', () => {
  expect(typed('a=9007199254740993')).toEqual({ a: '9007199254740993' });
});

test('--set reads null as null, in any case', () => {
  expect(typed('a=null,b.c=NULL')).toEqual({ a: null, b: { c: null } });
});

describe('--set-json', () => {
  test.each(['a={"b":[1,{"c":"x,y"}]},d="}",e=1.5', 'a[0].b=[1,2],a[1]=true', 'a= {"b": 1} , c=2', 'a.b=""'])(
    'results in the same values as in Helm for %s',
    (flag) => expect(json(flag)).toEqual(chart.values(['--set-json', flag])),
  );

  test('reads a missing value as null', () => expect(json('a=,b=null')).toEqual({ a: null, b: null }));

  test('refuses invalid JSON', () => {
    expect(() => json('a=1,b={x}')).toThrow(new SyntaxError('"{x}" does not begin with JSON'));
  });
});

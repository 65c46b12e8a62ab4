import { serverClock } from '#controller-runtime/timing/server-clock';

const NOON = Date.parse('2026-11-22T12:00:00Z');

function clocks() {
  const times = { wall: NOON, steady: 5_000 };
  const clock = serverClock(
    () => times.wall,
    () => times.steady,
  );
  const pass = (ms: number): void => {
    times.wall += ms;
    times.steady += ms;
  };
  return { clock, times, pass };
}

test("the server's clock is unknown before any answer, or without a date", () => {
  const { clock } = clocks();
  clock.answered(undefined);
  clock.answered('some day');
  expect(clock.aheadMs()).toBeUndefined();
});

test("the quickest of the last answers sets the server's clock", () => {
  const { clock, pass } = clocks();
  clock.answered('Sun, 22 Nov 2026 12:00:00 GMT');
  expect(clock.aheadMs()).toBe(0);
  pass(30_000);
  clock.answered('Sun, 22 Nov 2026 12:00:10 GMT');
  expect(clock.aheadMs()).toBe(0);
});

test("old answers do not count for the server's clock", () => {
  const { clock, times } = clocks();
  clock.answered('Sun, 22 Nov 2026 13:00:00 GMT');
  times.steady += 1;
  times.wall += 1;
  for (let index = 0; index < 16; index++) clock.answered('Sun, 22 Nov 2026 12:00:00 GMT');
  expect(clock.aheadMs()).toBe(1);
});

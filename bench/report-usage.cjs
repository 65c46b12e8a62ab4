/** Preloaded into a program that is measured, and those that it starts: adds what each used, at its end, to a file. */
const { appendFileSync } = require('node:fs');

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage = { pid: process.pid, cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMiB: maxRSS / 1024 };
  appendFileSync(process.env.BENCH_USAGE ?? '', `${JSON.stringify(usage)}\n`);
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { outputInFolder } from '#bin/folder-output';
import { readReport } from '#lib/review/report/read/read-report';
import { renderReport } from '#lib/review/report/render';
import { Browser } from './browser';

const ROOT = join(__dirname, '..', '..');

/** The part of the page in the README, in pixels. */
const PART = { x: 0, y: 0, width: 1280, height: 1000, scale: 0.75 };

/** Writes `docs/reference/report.png` from this repository's output: `npx tsx test/page/screenshot.ts`. */
async function takeScreenshot(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'screenshot-'));
  const browser = await Browser.start();
  try {
    const file = join(folder, 'report.html');
    writeFileSync(file, renderReport(readReport(outputInFolder(join(ROOT, 'dist')))));
    await browser.show(`${pathToFileURL(file).href}#issued=2026-01-01`);
    const shot = (await browser.send('Page.captureScreenshot', { format: 'png', clip: PART })) as { data: string };
    writeFileSync(join(ROOT, 'docs', 'reference', 'report.png'), Buffer.from(shot.data, 'base64'));
  } finally {
    await browser.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

void takeScreenshot();

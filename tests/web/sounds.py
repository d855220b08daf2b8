"""The sounds as a browser makes them, for ears and for figures.

`python -m tests.web.sounds FOLDER` writes a WAV file for each and prints what they are: how long, how high the highest
sample, how loud, which pitch, and how suddenly they begin and end.
"""

from __future__ import annotations

import subprocess
import sys
import wave
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Browser, sync_playwright

from tests.web.browser import FLAGS, found
from tests.web.faces import NODE, WEB

RATE = 48_000  # samples a second
QUIET = 10 ** (-60 / 20)  # what nobody hears any more, against the loudest that there is
# The page's own voices, without their types, played into a context that writes down instead of sounding.
PLAIN = "console.log(require('module').stripTypeScriptTypes(require('fs').readFileSync(process.argv[1], 'utf8')))"
RENDER = """async ([source, rate]) => {
  const url = URL.createObjectURL(new Blob([source], {type: 'text/javascript'}));
  const {voices} = await import(url);
  const made = {};
  for (const [name, voice] of Object.entries(voices)) {
    const audio = new OfflineAudioContext(1, rate / 2, rate);
    voice(audio, 0);
    made[name] = [...(await audio.startRendering()).getChannelData(0)];
  }
  return made;
}"""


@dataclass(frozen=True)
class Sound:
    samples: NDArray[np.float64]  # [RATE / 2] from −1 to 1

    @property
    def heard(self) -> NDArray[np.float64]:
        """From the first to the last sample that is more than nothing."""
        loud = np.flatnonzero(np.abs(self.samples) > QUIET)
        return self.samples[loud[0] : loud[-1] + 1]

    @property
    def seconds(self) -> float:
        """Until nothing is heard any more."""
        return float(np.flatnonzero(np.abs(self.samples) > QUIET)[-1] + 1) / RATE

    @property
    def peak(self) -> float:
        return float(np.abs(self.samples).max())

    @property
    def loudness(self) -> float:
        """Decibels: the loudest 50 ms, below the loudest that there is; the ear's own curve (A) among the pitches."""
        pitches = np.fft.rfftfreq(len(self.samples), 1 / RATE)
        squares = np.maximum(pitches, 1.0) ** 2
        ear = 12194**2 * squares**2 / (squares + 20.6**2) / (squares + 12194**2)
        ear *= 1.2589 / np.sqrt((squares + 107.7**2) * (squares + 737.9**2))
        weighed = np.fft.irfft(np.fft.rfft(self.samples) * ear)
        window = np.convolve(weighed**2, np.ones(RATE // 20) / (RATE // 20))
        return float(10 * np.log10(window.max()))

    def pitch(self, at: float = 0.0, seconds: float = 0.05) -> float:
        """The strongest tone of a stretch, in hertz."""
        part = self.samples[int(at * RATE) : int((at + seconds) * RATE)]
        power = np.abs(np.fft.rfft(part * np.hanning(len(part)), 8 * RATE)) ** 2
        return float(np.argmax(power) / 8)

    @property
    def centre(self) -> float:
        """Where its pitches lie in the mean, in hertz: how dark or bright it is."""
        power = np.abs(np.fft.rfft(self.samples)) ** 2
        return float((np.fft.rfftfreq(len(self.samples), 1 / RATE) * power).sum() / power.sum())

    @property
    def edges(self) -> tuple[float, float]:
        """The highest of the first and of the last half millisecond, as shares of the peak: what clicks."""
        span = RATE // 2000
        first, last = self.samples[:span], self.heard[-span:]
        return float(np.abs(first).max()) / self.peak, float(np.abs(last).max()) / self.peak

    def apart(self, other: Sound) -> float:
        """How differently two sounds run, 0 to 1, by their loudness over time and pitch."""
        ours, theirs = self._bands(), other._bands()
        return float(1 - (ours * theirs).sum() / np.sqrt((ours**2).sum() * (theirs**2).sum()))

    def _bands(self) -> NDArray[np.float64]:
        """[steps of 20 ms, thirds of an octave] loudness."""
        frame = RATE // 50
        bands = []
        for start in range(0, RATE // 4, frame):
            power = np.abs(np.fft.rfft(self.samples[start : start + frame] * np.hanning(frame), RATE // 10)) ** 2
            pitches = np.fft.rfftfreq(RATE // 10, 1 / RATE)
            thirds = np.clip(np.floor(3 * np.log2(np.maximum(pitches, 60) / 60)), 0, 26).astype(int)
            bands.append(np.sqrt(np.bincount(thirds, power, 27)))
        return np.array(bands)

    def write(self, path: Path) -> None:
        with wave.open(str(path), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes((self.samples.clip(-1, 1) * 32767).astype("<i2").tobytes())


def rendered(browser: Browser) -> dict[str, Sound]:
    """Every sound by its name."""
    source = subprocess.run(
        [NODE, "-e", PLAIN, WEB / "src/lib/voices.ts"], check=True, capture_output=True, text=True
    ).stdout
    page = browser.new_page()
    made = page.evaluate(RENDER, [source, RATE])
    page.close()
    return {name: Sound(np.array(samples)) for name, samples in made.items()}


def main() -> int:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build/sounds")
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(args=list(FLAGS), executable_path=found() or None)
        sounds = rendered(browser)
        browser.close()
    for name, sound in sounds.items():
        sound.write(folder / f"{name}.wav")
        first, last = sound.edges
        near = min((other for other in sounds if other != name), key=lambda other: sound.apart(sounds[other]))
        print(
            f"{name:8} {1000 * sound.seconds:4.0f} ms, peak {sound.peak:.2f}, {sound.loudness:5.1f} dB,"
            f" strongest {sound.pitch():5.0f} Hz, mean {sound.centre:5.0f} Hz, edges {first:.3f} {last:.3f},"
            f" nearest {near} {sound.apart(sounds[near]):.2f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())

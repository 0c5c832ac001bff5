import { tables } from '@joplin/turndown-plugin-gfm';
import TurndownService from 'turndown';

/** HTML -> Markdown with links and tables. Pictures become their descriptions: the model cannot see them here. */
export const toMarkdown = (html: string): string => service.turndown(html);

const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', hr: '---' });
service.use(tables);
service.addRule('pictures', {
  filter: ['img', 'picture', 'video', 'audio'],
  replacement: (_content, node: object) => {
    const alt = 'alt' in node && typeof node.alt === 'string' ? node.alt.replace(/\s+/g, ' ').trim() : '';
    return alt === '' ? '' : `[picture: ${alt}]`;
  },
});

/** An excerpt of a text in markdown, without its marks, in which the words of a search are highlighted. */
export function Highlighted({ text, words }: { text: string; words: string }) {
  const terms = words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  // A word of the search is found at the start of words.
  const pieces = text.replace(/:?-{2,}:?(?=\s*\|)|\|/g, " ").replace(/[*`]/g, "").split(/([\p{L}\p{N}]+)/u);
  return (
    <>
      {pieces.map((piece, index) => {
        const term = index % 2 === 1 && terms.find((term) => piece.toLowerCase().startsWith(term));
        return term ? <mark key={index}>{piece}</mark> : piece;
      })}
    </>
  );
}

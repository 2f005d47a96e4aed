import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";

export function NotFoundPage() {
  const words = useWords(commonWords);
  return (
    <main>
      <h1>{words.notFoundTitle}</h1>
      <p>{words.notFoundText}</p>
    </main>
  );
}

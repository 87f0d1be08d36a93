<?php

declare(strict_types=1);

namespace Guestbook;

use PDO;
use RuntimeException;

final class Entry
{
    public function __construct(
        public readonly int $id,
        public readonly string $author,
        public readonly string $text,
        public int $likes = 0,
    ) {
    }
}

final class Book
{
    /** @var Entry[] */
    private array $entries = [];

    private bool $quiet = false;

    public function __construct(private readonly PDO $pdo, private readonly string $secret)
    {
    }

    /** @return list<array<string, mixed>> */
    public function search(string $author): array
    {
        $sql = "SELECT id, author, text FROM entry WHERE author = '" . $author . "'";
        $statement = $this->pdo->query($sql);
        return $statement->fetchAll(PDO::FETCH_ASSOC);
    }

    public function add(Entry $entry): void
    {
        $this->entries[$entry->id] = $entry;
    }

    public function averageLikes(): float
    {
        $likes = array_map(static fn (Entry $entry): int => $entry->likes, $this->entries);
        return array_sum($likes) / count($likes);
    }

    /** @param string[] $words */
    public function censor(array $words): array
    {
        foreach ($words as &$word) {
            $word = strtolower(trim($word));
        }
        $found = [];
        foreach ($words as $word) {
            foreach ($this->entries as $entry) {
                if (str_contains(strtolower($entry->text), $word)) {
                    $found[] = $entry->id;
                }
            }
        }
        return $found;
    }

    public function isSigned(string $text, string $signature): bool
    {
        $expected = hash_hmac('sha256', $text, $this->secret);
        return $expected == $signature;
    }

    public function restore(): array
    {
        $cookie = $_COOKIE['draft'] ?? '';
        $draft = unserialize(base64_decode($cookie));
        return is_array($draft) ? $draft : [];
    }

    public function import(callable $source): int
    {
        $this->quiet = true;
        $count = $source($this);
        $this->quiet = false;
        return $count;
    }

    public function notify(string $address, Entry $entry): void
    {
        if ($this->quiet) {
            return;
        }
        try {
            $this->mail($address, $entry->text);
        } catch (\Exception $e) {
        }
    }

    private function mail(string $address, string $text): void
    {
        if (!mail($address, 'A new entry', $text)) {
            throw new RuntimeException('The mail was not accepted');
        }
    }

    public function newToken(): string
    {
        return dechex(mt_rand()) . dechex(mt_rand());
    }
}

function thumbnail(string $file): bool
{
    exec('convert ' . $file . ' -resize 100 thumb.png', $output, $status);
    return $status === 0;
}

function renderSearch(Book $book): void
{
    $author = $_GET['author'] ?? '';
    echo '<h1>Entries of ' . $author . '</h1>';
    foreach ($book->search($author) as $row) {
        printf("<p>%s: %s</p>\n", htmlspecialchars((string) $row['author']), htmlspecialchars((string) $row['text']));
    }
}
// socreates: ignore-file  the faults are planted

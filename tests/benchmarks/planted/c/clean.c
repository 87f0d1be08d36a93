#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define NAME_LENGTH 32

extern char **environ;

struct sensor {
    char name[NAME_LENGTH];
    double value;
    struct sensor *next;
};

struct table {
    char **lines;
    size_t used;
    size_t room;
    pthread_mutex_t lock;
};

struct sensor *sensor_new(const char *name, double value)
{
    struct sensor *sensor = malloc(sizeof *sensor);
    if (sensor == NULL) {
        return NULL;
    }
    sensor->value = value;
    sensor->next = NULL;
    snprintf(sensor->name, sizeof sensor->name, "%s", name);
    return sensor;
}

void sensors_free(struct sensor *head)
{
    while (head != NULL) {
        struct sensor *next = head->next;
        free(head);
        head = next;
    }
}

double sensors_mean(const double *values, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += values[i];
    }
    return count > 0 ? sum / count : 0;
}

int table_grow(struct table *table)
{
    size_t room = table->room ? 2 * table->room : 16;
    char **lines = realloc(table->lines, room * sizeof *lines);
    if (lines == NULL) {
        return -1;
    }
    table->lines = lines;
    table->room = room;
    return 0;
}

int table_add(struct table *table, const char *text)
{
    char *copy = strdup(text);
    if (copy == NULL) {
        return -1;
    }
    pthread_mutex_lock(&table->lock);
    if (table->used == table->room && table_grow(table) != 0) {
        pthread_mutex_unlock(&table->lock);
        free(copy);
        return -1;
    }
    table->lines[table->used++] = copy;
    pthread_mutex_unlock(&table->lock);
    return 0;
}

int table_load(struct table *table, const char *path)
{
    char line[256];
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return -1;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (table_add(table, line) != 0) {
            fclose(file);
            return -1;
        }
    }
    fclose(file);
    return 0;
}

void table_print(struct table *table, FILE *output)
{
    for (size_t i = 0; i < table->used; i++) {
        fprintf(output, "%s", table->lines[i]);
        fputc('\n', output);
    }
}

int plot(const char *path)
{
    pid_t child;
    int status;
    char *arguments[] = {"gnuplot", "-p", "--", (char *)path, NULL};
    if (posix_spawnp(&child, arguments[0], NULL, NULL, arguments, environ) != 0) {
        return -1;
    }
    if (waitpid(child, &status, 0) < 0) {
        return -1;
    }
    return status;
}

int main(int argc, char **argv)
{
    struct table table = {.lock = PTHREAD_MUTEX_INITIALIZER};
    int status = 0;
    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }
    if (table_load(&table, argv[1]) != 0) {
        fprintf(stderr, "%s: %s\n", argv[1], strerror(errno));
        status = 1;
    } else {
        table_print(&table, stdout);
    }
    for (size_t i = 0; i < table.used; i++) {
        free(table.lines[i]);
    }
    free(table.lines);
    return status;
}

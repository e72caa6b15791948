package dev.interlock.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqsAddressTest {
    @Test
    void a_queue_is_named_with_or_without_its_region_and_endpoint() {
        assertThat(SqsAddress.parse("sqs://jobs.fifo")).isEqualTo(new SqsAddress("jobs.fifo", null, null));
        assertThat(SqsAddress.parse("sqs://jobs.fifo?endpoint=http%3A%2F%2Flocalhost:9324&region=eu-central-1"))
                .isEqualTo(new SqsAddress("jobs.fifo", "eu-central-1", URI.create("http://localhost:9324")))
                .hasToString("sqs://jobs.fifo?region=eu-central-1&endpoint=http://localhost:9324");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    sqs://                          | is no name of a FIFO queue
                    sqs://jobs                      | is no name of a FIFO queue
                    sqs://a/b.fifo                  | is no name of a FIFO queue
                    sqs://me:canary@jobs.fifo       | has no user and no password
                    sqs://jobs.fifo?region=         | is no AWS region
                    sqs://jobs.fifo?region=EU       | is no AWS region
                    sqs://jobs.fifo?endpoint=host   | The endpoint must be
                    sqs://jobs.fifo?color=blue      | that nobody knows
                    sqs://jobs.fifo?region=%zz      | two hexadecimal digits
                    dynamodb://jobs.fifo            | begins with sqs://
                    """)
    void what_is_no_address_is_refused_in_a_sentence(String address, String said) {
        assertThatThrownBy(() -> SqsAddress.parse(address))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(said)
                .hasMessageNotContaining("canary");
    }
}
